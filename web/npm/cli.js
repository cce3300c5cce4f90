#!/usr/bin/env node
// npx unshade: the main verbs of the command, for Node without native code. What they print is what the command prints.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";

import { UnshadeError, load } from "./unshade.js";

const ok = 0;
const invalid = 1;
const failed = 2;

class UsageError extends Error {}

// What each verb does here. Their names, summaries and options are those of the native command: verbs.json, by scripts/tables/verb_tables.py.
const listingOptions = {
  offsets: "offsets",
  bytes: "bytes",
  exact: "exact",
  "exact-floats": "exactFloats",
  "no-header": "noHeader",
  "raw-id": "rawIds",
};

const verbs = {
  info: {
    run: (file, run) => (run.flags.json ? run.put(run.open(file).info()) : run.print(run.unshade.text("info", file.bytes, file.name))),
  },
  dump: {
    run(file, run) {
      if (run.flags.json) return run.put(run.unshade.dump(file.bytes, file.name));
      run.separate();
      run.print(`${file.name}: ${file.bytes.length} bytes\n`);
      run.print(run.unshade.text(run.flags.hex ? "hex" : "tree", file.bytes, file.name));
      const { errors } = run.unshade.annotate(file.bytes);
      for (const { rule, path, text, offset } of errors) run.complain(file.name, offset, rule, path, text);
      return errors.length === 0 ? ok : invalid;
    },
  },
  dis: {
    run(file, run) {
      const options = Object.fromEntries(Object.entries(listingOptions).map(([name, here]) => [here, run.flags[name] === true]));
      const shader = run.open(file);
      if (run.flags.json) return run.put({ file: file.name, family: shader.family, listing: shader.disassemble(options) });
      const listing = shader.disassembleToBytes(options);
      run.separate();
      if (run.files > 1) run.print(`// file: ${file.name}\n`);
      run.print(listing);
    },
  },
  reflect: {
    run(file, run) {
      const shader = run.open(file);
      if (run.flags.json) return run.put(run.flags.hlsl ? { ...shader.reflection(), hlsl: shader.reflectionHlsl() } : shader.reflection());
      const text = run.flags.hlsl ? shader.reflectionHlsl() : shader.reflectionText();
      run.separate();
      run.print(`${run.flags.hlsl ? "// " : ""}${file.name}\n${text}`);
    },
  },
  validate: {
    note: "SPIR-V without the rules of SPIRV-Tools",
    run(file, run) {
      const findings = run.unshade.validate(file.bytes, file.name);
      if (run.flags.json) run.put(findings);
      else run.print(run.unshade.text("findings", file.bytes, file.name));
      return findings.valid ? ok : invalid;
    },
  },
  diff: {
    operands: "BEFORE AFTER",
    count: [2, 2],
    all([one, other], run) {
      const before = run.open(one);
      const after = run.open(other);
      const exactText = run.flags["exact-text"] === true;
      const difference = before.diff(after, { exactText });
      if (run.flags.json) run.print(`${JSON.stringify(difference, null, 1)}\n`);
      else run.print(before.diffText(after, { exactText, context: number(run.flags.unified ?? "3", "--unified") }));
      return difference.same_meaning ? ok : invalid;
    },
    failure: failed,
  },
  run: {
    note: "the result is JSON",
    operands: "FILE [CASE]",
    count: [1, 2],
    all([file, given], run) {
      const input = given === undefined ? {} : parsed(given);
      const entry = run.flags.entry ?? (input?.entry !== undefined ? String(input.entry) : undefined);
      const options = {};
      if (run.flags.wave !== undefined) options.wave = number(run.flags.wave, "--wave");
      if (run.flags.budget !== undefined) options.operations = number(run.flags.budget, "--budget");
      const result = run.open(file).program(entry).runCase(input, options);
      run.print(`${JSON.stringify(result, null, 1)}\n`);
      if (result.stop === "finished") return ok;
      run.complain(file.name, undefined, "run", "", result.fault ?? result.stop);
      return invalid;
    },
  },
};

const table = JSON.parse(readFileSync(new URL("./verbs.json", import.meta.url), "utf8")).verbs.map((row) => ({
  operands: "FILE...",
  count: [1, Infinity],
  ...row,
  ...verbs[row.name],
}));

function number(text, what) {
  if (!/^\d+$/.test(text)) throw new UsageError(`${what} must be a number, not '${text}'`);
  return Number(text);
}

function parsed({ name, bytes }) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new UsageError(`${name}: a case must be JSON here (${error.message}); the native command reads TOML and YAML too`);
  }
}

/** Text of a file with control characters escaped, so that a terminal obeys none. */
function safe(text) {
  return text.replace(/[\0-\x1f\x7f-\x9f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

class Run {
  files = 0;
  #out = [];
  #shown = 0;
  #objects = [];
  #errors = [];

  constructor(unshade, flags) {
    this.unshade = unshade;
    this.flags = flags;
  }
  print(text) {
    this.#out.push(typeof text === "string" ? Buffer.from(text) : text);
  }
  /** An empty line between what is printed of several files. */
  separate() {
    if (++this.#shown > 1) this.print("\n");
  }
  put(object) {
    this.#objects.push(object);
  }
  open(file) {
    return this.unshade.open(file.bytes, file.name);
  }
  complain(file, offset, id, path, message) {
    const place = offset === undefined ? "" : `:0x${offset.toString(16)}`;
    process.stderr.write(`${safe(file)}${place}: error[${id}]: ${path === "" ? "" : `${safe(path)}: `}${safe(message)}\n`);
    this.#errors.push({ file, id, ...(offset === undefined ? {} : { offset }), ...(path === "" ? {} : { path }), message });
  }
  /** Writes what was printed. False if it could not be. */
  finish(verb, isList) {
    if (this.flags.json && isList) {
      const errors = this.#errors.length > 0 ? { errors: this.#errors } : {};
      this.print(`${JSON.stringify({ schema: `unshade.${verb}/1`, files: this.#objects, ...errors }, null, 1)}\n`);
    }
    const bytes = Buffer.concat(this.#out);
    if (this.flags.output !== undefined) writeFileSync(this.flags.output, bytes);
    else if (bytes.length > 0) writeAll(1, bytes);
  }
}

// Standard output may be a pipe, which takes what it has room for.
function writeAll(to, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(to, bytes, at);
    } catch (error) {
      if (error.code === "EPIPE") return;
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function summaryOf({ summary, note }) {
  return note === undefined ? summary : `${summary} (${note})`;
}

function help() {
  const width = Math.max(...table.map(({ name }) => name.length));
  const row = (verb) => `  ${verb.name.padEnd(width)}  ${summaryOf(verb)}\n`;
  const groups = [...new Set(table.map(({ group }) => group.title))].map((title) => {
    const members = table.filter(({ group }) => group.title === title);
    return `${title}\n${members.map(row).join("")}\n`;
  });
  return `unshade: takes compiled shaders apart\n\nunshade VERB [OPTION]... FILE...\n\n${groups.join("")}A FILE may be - for standard input. unshade VERB --help describes a verb.\nThe native command has more verbs, and these have more options there.\n\nExit status\n  0 success, 1 a file is invalid or lacks the requested item, 2 usage or I/O error\n`;
}

function helpOf(verb) {
  const rows = verb.options.map(({ letter, name, value, summary }) => [
    `  ${letter === null ? "    " : `-${letter}, `}--${name}${value === null ? "" : ` ${value}`}`,
    summary,
  ]);
  const width = Math.max(...rows.map(([left]) => left.length));
  return `unshade ${verb.name} [OPTION]... ${verb.operands}\n\n${summaryOf(verb)}\n\nOptions\n${rows.map(([left, text]) => `${left.padEnd(width)}  ${text}\n`).join("")}`;
}

function read(name) {
  try {
    return { name: name === "-" ? "<stdin>" : name, bytes: readFileSync(name === "-" ? 0 : name) };
  } catch (error) {
    const reasons = { ENOENT: "No such file or directory", EISDIR: "Is a directory", EACCES: "Permission denied" };
    return { name, failure: reasons[error.code] ?? error.message };
  }
}

function argumentsOf(verb, given) {
  const options = {};
  for (const { name, letter, value } of verb.options)
    options[name] = { type: value === null ? "boolean" : "string", ...(letter === null ? {} : { short: letter }) };
  try {
    return parseArgs({ args: given, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error.message.split(". ")[0]} (see unshade ${verb.name} --help)`);
  }
}

async function main([name, ...given]) {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(help());
    return name === undefined ? failed : ok;
  }
  const unshade = await load();
  if (name === "version" || name === "--version") {
    process.stdout.write(`unshade ${unshade.version}\n`);
    return ok;
  }
  const verb = table.find((row) => row.name === name);
  if (verb === undefined) throw new UsageError(`no verb '${name}' (see unshade --help)`);
  const { values: flags, positionals } = argumentsOf(verb, given);
  if (flags.help) {
    process.stdout.write(helpOf(verb));
    return ok;
  }
  const [least, most] = verb.count;
  if (positionals.length < least || positionals.length > most)
    throw new UsageError(`${name} takes ${verb.operands} (see unshade ${name} --help)`);

  const run = new Run(unshade, flags);
  run.files = positionals.length;
  let status = ok;
  // One file at a time, or all together; what is wrong with a file does not keep the others from being read.
  const attempt = (names, work) => {
    const files = names.map(read);
    const unread = files.filter((file) => file.failure !== undefined);
    for (const file of unread) run.complain(file.name, undefined, "io", "", file.failure);
    if (unread.length > 0) return failed;
    try {
      return work(files) ?? ok;
    } catch (error) {
      if (!(error instanceof UnshadeError)) throw error;
      run.complain(error.file || files[0].name, error.offset, error.code, error.path, error.message);
      return verb.failure ?? invalid;
    }
  };
  if (verb.all !== undefined) {
    status = attempt(positionals, (files) => verb.all(files, run));
  } else {
    for (const one of positionals)
      status = Math.max(
        status,
        attempt([one], ([file]) => verb.run(file, run)),
      );
  }
  run.finish(name, verb.all === undefined);
  return status;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`unshade: error[${isUsage ? "usage" : "io"}]: ${safe(error.message)}\n`);
  process.exitCode = failed;
}
