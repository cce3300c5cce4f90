// Files that were dropped, with those of folders, and files that the system opens the installed page with.
const kMostFiles = 2000;

export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  for (const entry of entries) await collect(entry, files);
  return files;
}

async function collect(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length >= kMostFiles) return;
  if (entry.isFile) {
    files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const each of batch) await collect(each, files);
  }
}

interface LaunchQueue {
  setConsumer(consumer: (params: { files: { getFile(): Promise<File> }[] }) => void): void;
}

export function launchedFiles(open: (files: File[]) => void): void {
  const queue = (window as { launchQueue?: LaunchQueue }).launchQueue;
  queue?.setConsumer(({ files }) => void Promise.all(files.map((file) => file.getFile())).then((all) => all.length > 0 && open(all)));
}
