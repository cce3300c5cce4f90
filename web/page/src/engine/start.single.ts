// The same in a page of one file: the worker is in the script, the library in an element, compressed and in base64.
import { boot } from "./boot";
import { readModule } from "../model/single";
import Inside from "./worker?worker&inline";

const compiled = readModule();

export function startWorker(): Worker {
  const worker = new Inside();
  boot(worker, compiled);
  return worker;
}
