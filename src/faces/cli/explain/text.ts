import { askedText } from "../../../definitions/authority/reach.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { Json } from "../../../ground/message.ts"
import { oneLine, table } from "../terminal/table.ts"
import { type Located, type LocatedModel, type LocatedReason, useText } from "./located.ts"
import type { From } from "./places.ts"

/** One line a value, with who says it; below it those that it overrules. */
export function locatedText({ model, tools, reach, limits, variables }: Located, base: string): string {
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
        use.only ? "where its provider has no such model" : "where the one before fails",
      ]),
    blank,
    ["TOOLS", "", ""],
    ...tools.flatMap(({ name, state, over: others, ...why }) => [
      [name, state, reasonText(why, base)],
      ...others.map((reason) => [instead, "", reasonText(reason, base)]),
    ]),
    ...(reach.length > 0 ? [blank, ["REACHES", "", ""]] : []),
    ...reach.map((one) => [one.name, "", askedText(one)]),
    blank,
    ["LIMITS", "", ""],
    ...limits.flatMap(({ name, value, from, over: others, shared }) => [
      [name, value === null ? "-" : String(value), from ? fromText(from, base) : "none of its own"],
      ...(shared ? [["  within", String(shared.value), `counted with ${shared.agent}`]] : []),
      ...others.map((one) => [instead, String(one.value), fromText(one.from, base)]),
    ]),
    ...(variables.length > 0 ? [blank, ["VARIABLES", "", ""]] : []),
    ...variables.flatMap(({ name, value, from, over: others }) => [
      [name, shortJson(value), fromText(from, base)],
      ...others.map((one) => [instead, shortJson(one.value), fromText(one.from, base)]),
    ]),
  ]
  return table(rows)
}

const instead = "  instead of"
const blank = ["", "", ""]
const sightNames = { text: "text", image: "pictures", pdf: "PDFs" }

function modelCells(
  { value, handed, written, from, preset, saidAt = [], problem }: LocatedModel,
  base: string,
) {
  if (handed !== undefined && written === null) return [value!, "it chooses its model itself"]
  const says = written === null && from.type !== "definition" ? "" : `: ${shortJson(written)}`
  const meaning = preset ? `, a preset of ${fromText(preset, base)}` : handedText(handed)
  return [
    value ?? (problem === undefined ? shortJson(written) : "nothing"),
    [`${fromText(from, base)}${says}${meaning}`, ...saidAt].join(", "),
  ]
}

function handedText(handed: LocatedModel["handed"]): string {
  if (handed === undefined) return ""
  return handed === null ? ", which it does not hear of" : `, and it is handed ${shortJson(handed)}`
}

const words: Readonly<Record<LocatedReason["why"], string>> = {
  listed: "listed",
  inherited: "no list leaves any out",
  delegates: "to give to those it calls",
  result: "its result has a shape",
  executor: "starts the program that runs it",
  denied: "denied",
  unlisted: "not in its list",
  depth: "the depth limit is reached",
  nobody: "there are no runs that it could deal with",
  taken: "denied by the rules of",
  "not-of-parent": "its parent neither has it nor has it to give",
  narrowed: "the call leaves it out",
  absent: "absent here",
  foreign: "another host's, without an equivalent here",
  unknown: "nobody knows it",
}

function reasonText({ why, by, reason, from }: LocatedReason, base: string): string {
  const entry = by === undefined ? "" : ` as ${JSON.stringify(by)}`
  const because = reason === undefined ? "" : `: ${reason}`
  const place = from.type === "default" ? "" : `, ${fromText(from, base)}`
  return `${words[why]}${entry}${because}${place}`
}

export function fromText(from: From, base: string): string {
  switch (from.type) {
    case "call":
      return "the call"
    case "definition":
      return `${shownPath(from.file, base)}:${from.line}:${from.column}`
    case "format":
      return `default of ${from.format} files`
    case "configuration":
      return `${shownPath(from.file, base)} (${from.of}, ${from.key})${from.untrusted ? ", not trusted" : ""}`
    case "environment":
      return from.variable
    case "parent":
      return `the parent, ${from.agent}`
    case "codex":
      return from.at.join(", ")
    case "lifecycle":
      return "a lifecycle file of Gobby's"
    case "default":
      return "built-in default"
  }
}

const shortJson = (value: Json): string =>
  oneLine(typeof value === "string" ? value : JSON.stringify(value), 60)
