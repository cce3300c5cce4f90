// The explorer as an editor of compiled shaders: the page of one file (web/page/src/model/single.ts) in a webview.
import * as vscode from "vscode";
import { writeLink } from "../../page/src/model/link";
import { kTemplate, writeSingle } from "../../page/src/model/single";

const kViewType = "unshade.explorer";

/** What the page sends if a file is to be saved (web/page/src/shell/save.ts). */
interface Saved {
  name: string;
  bytes: Uint8Array;
}

const nameOf = (uri: vscode.Uri) => uri.path.split("/").at(-1)!;
const folderOf = (uri: vscode.Uri) => vscode.Uri.joinPath(uri, "..");

class Explorer implements vscode.CustomReadonlyEditorProvider {
  /** The page without a shader, and the library, read once. */
  private parts: Promise<[string, Uint8Array]> | undefined;

  constructor(private readonly folder: vscode.Uri) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    const show = async (): Promise<void> => {
      try {
        panel.webview.html = await this.page(uri);
      } catch (error) {
        vscode.window.showErrorMessage(`${nameOf(uri)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folderOf(uri), nameOf(uri)));
    const disposables = [watcher, watcher.onDidChange(() => void show()), panel.webview.onDidReceiveMessage((message) => void save(uri, message as Saved))];
    panel.onDidDispose(() => disposables.forEach((each) => each.dispose()));
    await show();
  }

  private async page(uri: vscode.Uri): Promise<string> {
    this.parts ??= Promise.all([this.read(kTemplate).then((bytes) => new TextDecoder().decode(bytes)), this.read("unshade.wasm")]);
    const [[template, library], bytes] = await Promise.all([this.parts, vscode.workspace.fs.readFile(uri)]);
    const fragment = await writeLink({ file: { name: nameOf(uri), bytes }, at: "", views: [] });
    return writeSingle(template, library, fragment, nameOf(uri));
  }

  private read(name: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.folder, "dist", name));
  }
}

async function save(beside: vscode.Uri, { name, bytes }: Saved): Promise<void> {
  if (typeof name !== "string" || !(bytes instanceof Uint8Array)) return;
  const to = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folderOf(beside), name) });
  if (to) await vscode.workspace.fs.writeFile(to, bytes);
}

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(kViewType, new Explorer(context.extensionUri), {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: true },
    }),
    vscode.commands.registerCommand("unshade.open", (uri) => {
      const wanted = uri ?? vscode.window.activeTextEditor?.document.uri;
      return wanted && vscode.commands.executeCommand("vscode.openWith", wanted, kViewType);
    }),
  );
}
