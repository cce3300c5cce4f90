// A file system in memory, of the files that the test's server has: disk:/shader.cso. VS Code in a browser has none of its own.
const vscode = require("vscode");

const kNames = ["shader.cso", "other.bin", "text.cso"];

class Disk {
  constructor(base) {
    this.files = new Map();
    this.changes = new vscode.EventEmitter();
    this.onDidChangeFile = this.changes.event;
    this.loaded = Promise.all(
      kNames.map(async (name) => {
        const answer = await fetch(vscode.Uri.joinPath(base, "..", "files", name).toString());
        this.files.set(`/${name}`, new Uint8Array(await answer.arrayBuffer()));
      }),
    );
  }
  watch() {
    return new vscode.Disposable(() => {});
  }
  async stat({ path }) {
    await this.loaded;
    if (path === "/") return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const bytes = await this.readFile({ path });
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length };
  }
  async readDirectory() {
    await this.loaded;
    return [...this.files.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }
  async readFile({ path }) {
    await this.loaded;
    const bytes = this.files.get(path);
    if (!bytes) throw vscode.FileSystemError.FileNotFound(path);
    return bytes;
  }
  writeFile(uri, bytes) {
    const type = this.files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.files.set(uri.path, bytes);
    this.changes.fire([{ type, uri }]);
  }
  createDirectory() {}
  delete({ path }) {
    this.files.delete(path);
  }
  rename() {
    throw vscode.FileSystemError.NoPermissions();
  }
}

exports.activate = (context) => {
  const disk = new Disk(context.extensionUri);
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("disk", disk, { isCaseSensitive: true }),
    vscode.commands.registerCommand("disk.replace", () => {
      disk.writeFile(vscode.Uri.parse("disk:/shader.cso"), disk.files.get("/other.bin"));
    }),
  );
};
