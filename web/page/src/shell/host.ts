// The editor that the page is shown in (web/vscode), if it is: it saves files, and has keys of its own.
interface Host {
  postMessage(message: { name: string; bytes: Uint8Array }): void;
}
export const host = (globalThis as { acquireVsCodeApi?: () => Host }).acquireVsCodeApi?.();
