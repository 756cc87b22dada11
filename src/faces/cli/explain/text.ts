import { describeAskedTools } from "../../../definitions/authority/reach.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import type { Json } from "../../../ground/message.ts"
import { formatLimit } from "../run/words.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import {
  type LocatedExplanation,
  type LocatedModel,
  type LocatedReason,
  useText,
} from "./locate-explanation.ts"
import type { ValueSource } from "./places.ts"

/** One line per value, with its place. The lines below it show the values that it overrides. */
export function describeExplanation(
  { model, tools, reach, limits, variables }: LocatedExplanation,
  base: string,
): string {
  const { over, ...winner } = model
  const rows = [
    ["MODEL", "", ""],
    ["model", ...modelCells(winner, base)],
    ...(winner.reads ? [["  reads", winner.reads.map((word) => sightNames[word]).join(", "), ""]] : []),
    ...over.map((one) => [instead, ...modelCells(one, base)]),
    ...(winner.uses ?? [])
      .slice(1)
      .map((use) => [
        "  and then",
        useText(use),
        use.only ? "if its provider has no such model" : "if the one before fails",
      ]),
    blank,
    ["TOOLS", "", ""],
    ...tools.flatMap(({ name, state, over: others, ...why }) => [
      [name, state, reasonText(why, base)],
      ...others.map((reason) => [instead, "", reasonText(reason, base)]),
    ]),
    ...(reach.length > 0 ? [blank, ["REACHES", "", ""]] : []),
    ...reach.map((one) => [one.name, "", describeAskedTools(one)]),
    blank,
    ["LIMITS", "", ""],
    ...limits.flatMap(({ name, value, from, over: others, shared }) => [
      [
        name,
        value === null ? "-" : formatLimit(name, value),
        from ? describeValueSource(from, base) : "no limit of its own",
      ],
      ...(shared ? [["  within", formatLimit(name, shared.value), `shared with ${shared.agent}`]] : []),
      ...others.map((one) => [instead, formatLimit(name, one.value), describeValueSource(one.from, base)]),
    ]),
    ...(variables.length > 0 ? [blank, ["VARIABLES", "", ""]] : []),
    ...variables.flatMap(({ name, value, from, over: others }) => [
      [name, shortJson(value), describeValueSource(from, base)],
      ...others.map((one) => [instead, shortJson(one.value), describeValueSource(one.from, base)]),
    ]),
  ]
  return formatTable(rows)
}

const instead = "  instead of"
const blank = ["", "", ""]
const sightNames = { text: "text", image: "pictures", pdf: "PDFs" }

function modelCells(
  { value, handed, written, from, preset, saidAt = [], problem }: LocatedModel,
  base: string,
) {
  if (handed !== undefined && written === null) return [value!, "the program chooses its model"]
  const says = written === null && from.type !== "definition" ? "" : `: ${shortJson(written)}`
  const meaning = preset ? `, a preset of ${describeValueSource(preset, base)}` : handedText(handed)
  return [
    value ?? (problem === undefined ? shortJson(written) : "nothing"),
    [`${describeValueSource(from, base)}${says}${meaning}`, ...saidAt].join(", "),
  ]
}

function handedText(handed: LocatedModel["handed"]): string {
  if (handed === undefined) return ""
  return handed === null
    ? ", which its program is not told"
    : `, passed to its program as ${shortJson(handed)}`
}

const words: Readonly<Record<LocatedReason["why"], string>> = {
  listed: "listed",
  inherited: "inherited: the agent lists no tools",
  delegates: "only to pass on to its subagents",
  result: "to return its structured result",
  executor: "to start the program that runs the agent",
  denied: "denied",
  unlisted: "not in its list",
  depth: "the depth limit is reached",
  nobody: "there are no subagents for it to start or manage",
  taken: "denied by the rules of",
  "not-of-parent": "its parent does not have this tool",
  narrowed: "left out by the call",
  absent: "not available here",
  foreign: "a tool of another host, with no equivalent here",
  unknown: "unknown tool",
}

function reasonText({ why, by, reason, from }: LocatedReason, base: string): string {
  const entry = by === undefined ? "" : ` as ${JSON.stringify(by)}`
  const because = reason === undefined ? "" : why === "taken" ? ` ${reason}` : `: ${reason}`
  if (why === "inherited" && from.type === "parent")
    return `inherited from ${from.agent}: the agent lists no tools`
  if (why === "not-of-parent" && from.type === "parent")
    return `${from.agent} does not have this tool: add it to the tools or \`delegates\` of ${from.agent}`
  const place = from.type === "default" ? "" : `, ${describeValueSource(from, base)}`
  return `${words[why]}${entry}${because}${place}`
}

export function describeValueSource(from: ValueSource, base: string): string {
  switch (from.type) {
    case "call":
      return "the call"
    case "definition":
      return `${toDisplayPath(from.file, base)}:${from.line}:${from.column}`
    case "format":
      return `default of ${from.format} files`
    case "configuration":
      return `${toDisplayPath(from.file, base)} (${from.of}, ${from.key})${from.untrusted ? ", not trusted" : ""}`
    case "environment":
      return from.variable
    case "parent":
      return `its parent ${from.agent}`
    case "codex":
      return from.at.join(", ")
    case "lifecycle":
      return "a Gobby lifecycle file"
    case "default":
      return "built-in default"
  }
}

const shortJson = (value: Json): string =>
  cutToOneLine(typeof value === "string" ? value : JSON.stringify(value), 60)
