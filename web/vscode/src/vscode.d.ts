// What the extension uses of the editor's interface (https://code.visualstudio.com/api/references/vscode-api).
declare module "vscode" {
  export interface Disposable {
    dispose(): void;
  }
  export interface Uri {
    readonly path: string;
    toString(): string;
  }
  export const Uri: { joinPath(base: Uri, ...segments: string[]): Uri };
  export interface Webview {
    html: string;
    options: { enableScripts?: boolean; localResourceRoots?: readonly Uri[] };
    onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
  }
  export interface WebviewPanel {
    readonly webview: Webview;
    onDidDispose(listener: () => void): Disposable;
  }
  export interface CustomDocument extends Disposable {
    readonly uri: Uri;
  }
  export interface CustomReadonlyEditorProvider {
    openCustomDocument(uri: Uri): CustomDocument;
    resolveCustomEditor(document: CustomDocument, panel: WebviewPanel): Promise<void>;
  }
  export interface FileSystemWatcher extends Disposable {
    onDidChange(listener: () => void): Disposable;
  }
  export class RelativePattern {
    constructor(base: Uri, pattern: string);
  }
  export const workspace: {
    fs: { readFile(uri: Uri): Promise<Uint8Array>; writeFile(uri: Uri, bytes: Uint8Array): Promise<void> };
    createFileSystemWatcher(pattern: RelativePattern): FileSystemWatcher;
  };
  export const window: {
    readonly activeTextEditor: { document: { uri: Uri } } | undefined;
    registerCustomEditorProvider(viewType: string, provider: CustomReadonlyEditorProvider, options: object): Disposable;
    showSaveDialog(options: { defaultUri: Uri }): Promise<Uri | undefined>;
    showErrorMessage(message: string): void;
  };
  export const commands: {
    registerCommand(command: string, callback: (uri?: Uri) => unknown): Disposable;
    executeCommand(command: string, ...rest: unknown[]): Promise<unknown>;
  };
  export interface ExtensionContext {
    readonly extensionUri: Uri;
    readonly subscriptions: Disposable[];
  }
}
