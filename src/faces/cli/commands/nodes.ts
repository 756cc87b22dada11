import path from "node:path"
import { locateStateFolder } from "../../../assembly/project/place.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"
import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { findChangedNodes } from "../../../world/nodes/changed-nodes.ts"
import { copyQueries } from "../../../world/nodes/copy-queries.ts"
import { type DiscoverOptions, discoverNodes } from "../../../world/nodes/discover.ts"
import { knownLanguages } from "../../../world/nodes/languages.ts"
import { nodeTypes } from "../../../world/nodes/node.ts"
import { defineCommand, type ProcessContext } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { findNodeRoot } from "../nodes/find-root.ts"
import {
  changeJson,
  changeLine,
  type LookPlace,
  writeNodeLine,
  writeProblemLine,
} from "../nodes/node-lines.ts"
import { getHomeFolder } from "../settings.ts"
import { writeJsonText } from "../terminal/json-text.ts"

export const nodesCommand = defineCommand({
  name: "nodes",
  summary: "List the files, classes, functions and methods of source code",
  arguments: [
    { name: "path", doc: "Files and folders. Default: the current folder", count: "any", complete: "file" },
  ],
  options: {
    language: {
      type: "value",
      value: "NAME",
      doc: "Only files of this language",
      choices: knownLanguages,
      repeatable: true,
    },
    type: {
      type: "value",
      value: "TYPE",
      doc: "Only nodes of this type",
      choices: nodeTypes,
      repeatable: true,
    },
    name: { type: "value", value: "GLOB", doc: "Only nodes whose name or full name matches" },
    changed: {
      type: "value",
      value: "REF",
      doc: "Only what differs from this commit: added, changed, renamed, swapped, removed",
    },
    queries: {
      type: "value",
      value: "FOLDER",
      doc: "Also use the query packs in this folder (LANGUAGE/PACK/*.scm)",
      complete: "file",
      repeatable: true,
    },
    pack: { type: "value", value: "NAME", doc: "Use only packs of this name", repeatable: true },
    "copy-queries": {
      type: "value",
      value: "FOLDER",
      doc: "Copy the built-in query packs to this folder, and do nothing else",
      complete: "file",
    },
    "no-cache": { type: "flag", doc: "Parse every file again" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre nodes src --type method --name 'Parser.*'", doc: "List the methods of a class" },
    { line: "cadre nodes --changed main --json", doc: "List what a branch changed, for a program" },
    { line: "cadre nodes --copy-queries queries", doc: "Copy the built-in query packs, to change them" },
  ],
  async run({ arguments: { path: paths }, options, ...context }) {
    const { stdout, directory, environment } = context
    const copyTo = options["copy-queries"]
    if (copyTo !== undefined) {
      const folder = path.resolve(directory, copyTo)
      const files = copyQueries(folder)
      stdout.write(
        options.json
          ? writeJsonText({ folder, files })
          : `Copied ${files.length} files. Change them, and use them with: cadre nodes --queries ${copyTo}\n`,
      )
      return exitCode.fine
    }
    const place = { root: findNodeRoot(paths, directory, getHomeFolder(context)), directory }
    const look: DiscoverOptions = {
      directory,
      ...(paths.length > 0 && { paths }),
      ...(options.language && { languages: options.language }),
      ...(options.type && { types: options.type }),
      ...(options.name !== undefined && { name: options.name }),
      ...(options.queries && { queries: options.queries.map((folder) => path.resolve(directory, folder)) }),
      ...(options.pack && { packs: options.pack }),
      ...(!options["no-cache"] && { cache: path.join(locateStateFolder(environment), "nodes") }),
    }
    const format = options.json ? "json" : "text"
    return options.changed === undefined
      ? listNodes(look, place, format, context)
      : listChanges(options.changed, look, place, format, context)
  },
})

type Streams = Pick<ProcessContext, "stdout" | "stderr">

/** Prints each node when it is found, so that a large tree needs no more memory than a small one. */
async function listNodes(
  look: DiscoverOptions,
  place: LookPlace,
  format: "json" | "text",
  streams: Streams,
): Promise<ExitCode> {
  const search = discoverNodes(place.root, look)
  const list = nodeList(place, format, streams)
  for await (const node of search) list.add(format === "json" ? node : writeNodeLine(node, place))
  return list.end(search.diagnostics)
}

async function listChanges(
  reference: string,
  look: DiscoverOptions,
  place: LookPlace,
  format: "json" | "text",
  streams: Streams,
): Promise<ExitCode> {
  const { changes, diagnostics } = await findChangedNodes(place.root, reference, look)
  const list = nodeList(place, format, streams)
  for (const change of changes) list.add(format === "json" ? changeJson(change) : changeLine(change, place))
  return list.end(diagnostics)
}

/** Nothing is written before the first node, so that an error leaves no half of a JSON text. */
function nodeList(place: LookPlace, format: "json" | "text", { stdout, stderr }: Streams) {
  let count = 0
  const start = `{\n  "root": ${escapeJson(JSON.stringify(place.root))},\n  "nodes": [`
  return {
    add(item: object | string): void {
      if (typeof item === "string") stdout.write(item)
      else stdout.write(`${count++ === 0 ? start : ","}\n    ${escapeJson(JSON.stringify(item))}`)
    },
    end(diagnostics: readonly Diagnostic[]): ExitCode {
      if (format === "json") {
        const problems = JSON.stringify(diagnostics.map((one) => toDiagnosticJson(one)))
        stdout.write(`${count === 0 ? start : "\n  "}],\n  "diagnostics": ${escapeJson(problems)}\n}\n`)
      } else for (const diagnostic of diagnostics) stderr.write(writeProblemLine(diagnostic, place))
      return diagnostics.some(({ severity }) => severity === "error") ? exitCode.problems : exitCode.fine
    },
  }
}
