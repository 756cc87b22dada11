import { pinFolder } from "../../../assembly/project/place.ts"
import type { NamedServer } from "../../../assembly/project/servers.ts"
import { escapeLines, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import { acceptTools } from "../../../world/mcp/accept-tools.ts"
import type { PinnedEntry } from "../../../world/mcp/pinned-entry.ts"
import { createFilePins } from "../../../world/mcp/pins.ts"
import type { ProcessContext } from "../command.ts"
import { askPerson } from "../terminal/ask-person.ts"
import { UsageError } from "../usage-error.ts"

type Around = Pick<ProcessContext, "environment" | "stdin" | "stderr" | "isTerminal">

/** Shows the changed tools of a server for which a run was refused, and accepts them if the person says so. */
export async function reviewTools(
  servers: readonly NamedServer[],
  name: string,
  wish: "yes" | "ask",
  around: Around,
): Promise<"accepted" | "left" | "nothing"> {
  const named = servers.filter((server) => server.name === name)
  if (named.length === 0) {
    const names = [...new Set(servers.map((server) => server.name))]
    throw new UsageError(`There is no MCP server ${JSON.stringify(name)}. ${listKnownNames(name, names)}`)
  }
  let answer: "accepted" | "nothing" = "nothing"
  for (const { entry } of named) {
    const one = await reviewEntry(name, entry, wish, around)
    if (one === "left") return "left"
    if (one === "accepted") answer = "accepted"
  }
  return answer
}

async function reviewEntry(
  name: string,
  entry: PinnedEntry,
  wish: "yes" | "ask",
  { environment, stdin, stderr, isTerminal }: Around,
): Promise<"accepted" | "left" | "nothing"> {
  const pins = createFilePins(pinFolder(environment))
  const lines = acceptTools(pins, entry, "look")
  if (lines.length === 0) return "nothing"
  const shown = [`The MCP server ${name} has changed since its tools were accepted:`, ...lines]
  stderr.write(`${shown.map((line) => escapeLines(line)).join("\n  ")}\n`)
  const canAsk = isTerminal && stdin?.isTerminal
  if (wish === "ask" && !canAsk) return "left"
  const question = escapeText(`Accept the tools of ${name} as they are now?`)
  const answer =
    wish === "yes" ? "yes" : await askPerson(stdin!, `${question} [y/N] `, (text) => void stderr.write(text))
  if (answer === "no") return "left"
  acceptTools(pins, entry, "accept")
  return "accepted"
}

/** Asks about every server with changed tools. True: a person accepted all of them, so the run may be tried again. */
export async function acceptChangedTools(servers: readonly NamedServer[], around: Around): Promise<boolean> {
  const { stdin, isTerminal } = around
  if (!isTerminal || !stdin?.isTerminal) return false
  let accepted = false
  for (const name of new Set(servers.map((server) => server.name))) {
    const answer = await reviewTools(servers, name, "ask", around)
    if (answer === "left") return false
    accepted ||= answer === "accepted"
  }
  return accepted
}
