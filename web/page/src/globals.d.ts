/** Where the sign of the page is. */
declare const __ICON__: string;

/** Of workers alone, whose types are not those of pages. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
