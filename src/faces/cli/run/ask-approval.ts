import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import type { LastingApproval } from "../../../run/log/event-rights.ts"
import { callLines } from "./call-text.ts"
import { editLines, shownColumns, shownLines } from "./change-lines.ts"
import {
  describeAccesses,
  describeAsker,
  describeAskReason,
  type WaitingCall,
  writeTreeLines,
} from "./waiting-call.ts"

/** The answer of a person to a call. */
export type PersonAnswer =
  | { readonly decision: "allow"; readonly lasting?: LastingApproval }
  | { readonly decision: "deny"; readonly note?: string }
  | { readonly decision: "stop" }

/**
 * Asks a person about one call, until the answer is one that is offered. Undefined: the input has ended, and the call stays
 * open.
 */
export async function askApproval(
  approval: WaitingCall,
  ask: (text: string) => Promise<string | undefined>,
  { paint, directory, file }: { readonly paint: Paint; readonly directory: string; readonly file: string },
): Promise<PersonAnswer | undefined> {
  let text = `${(await describeApproval(approval, { paint, directory })).join("\n")}\n${offerLines(approval, file).join("\n")}\n[y/N] `
  for (;;) {
    const line = await ask(text)
    if (line === undefined) return undefined
    const answer = readAnswer(line, approval)
    if (answer !== undefined) return answer
    text = `Type one of the letters above.\n${offerLines(approval, file).join("\n")}\n[y/N] `
  }
}

/** Describes a call in lines of safe text: its changes and effects, the way down to it, and the cause of the question. */
export async function describeApproval(
  approval: WaitingCall,
  { paint, directory, whole }: { readonly paint: Paint; readonly directory: string; readonly whole?: true },
): Promise<readonly string[]> {
  const changes = await editLines(approval, {
    paint,
    ...(!whole && { mostLines: shownLines, columns: shownColumns }),
  })
  const [first = "", ...more] = callLines(approval.tool, approval.arguments)
  const isShort = more.length === 0 && approval.command === undefined && !changes
  const below = (lines: readonly string[]) => lines.map((line) => `    ${line}`)
  const does = describeAccesses(approval.accesses).map(escapeText)
  const path = approval.accesses.flatMap((access) => (access.type === "write" ? [access.path] : []))
  const title = changes && path.length > 0 ? ` ${escapeText(path.join(", "))}?` : isShort ? ` ${first}?` : "?"
  const asker = escapeText(describeAsker(approval))
  return [
    ...writeTreeLines(approval, whole ? "whole" : "short").map(escapeText),
    // A step of a pipeline brings its own question.
    ...(approval.tool === "approval"
      ? [`${asker}: ${first}`, ...below(more)]
      : [
          `${asker}: Allow ${escapeText(approval.tool)}${title}`,
          ...(changes ? below(changes) : isShort ? [] : below([first, ...more])),
        ]),
    ...does.map((line) => `  ${line}`),
    `  ${escapeText(describeAskReason(approval, directory))}`,
  ]
}

function offerLines({ offers }: WaitingCall, file: string): readonly string[] {
  return [
    "  y once   e always for exactly this, in this run",
    offers.type === "rules"
      ? `  a always: adds ${escapeText(offers.rules.join(" and "))} to ${escapeText(file)}`
      : `  (no rule is offered: ${escapeText(offers.reason)})`,
    "  n no   n TEXT no, and tell the model why   s stop the run",
  ]
}

/** Undefined: the line is none of the answers. An empty line means no. */
function readAnswer(line: string, { offers }: WaitingCall): PersonAnswer | undefined {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? []
  switch (word.toLowerCase().replace(/[:,]$/, "")) {
    case "y":
    case "yes":
      return rest === "" ? { decision: "allow" } : undefined
    case "e":
      return rest === "" ? { decision: "allow", lasting: "same" } : undefined
    case "a":
      return rest === "" && offers.type === "rules"
        ? { decision: "allow", lasting: { rules: offers.rules } }
        : undefined
    case "":
    case "n":
    case "no":
      return { decision: "deny", ...(rest !== "" && { note: rest }) }
    case "s":
    case "stop":
      return rest === "" ? { decision: "stop" } : undefined
    default:
      return undefined
  }
}
