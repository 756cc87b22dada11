import type { RunHead, Stored } from "../run/store.ts"

export type OpenHead = { -readonly [key in keyof RunHead]: RunHead[key] }

/** What `list` tells of a run, from its first event. `advanceHead` keeps it up to date. */
export function headOf(first: Stored): OpenHead {
  const { agent, continues } = first as Stored & { agent?: unknown; continues?: unknown }
  const head: OpenHead = {
    run: first.run,
    agent: typeof agent === "string" ? agent : "",
    startedAt: first.at,
    updatedAt: first.at,
    status: "open",
    ...(typeof continues === "string" && { continues }),
  }
  advanceHead(head, first)
  return head
}

export function advanceHead(head: OpenHead, event: Stored): void {
  head.updatedAt = event.at
  if (event.type !== "run-end") return
  head.status = "ended"
  const { outcome } = event as Stored & { outcome?: unknown }
  const name =
    typeof outcome === "object" && outcome !== null ? (outcome as { type?: unknown }).type : outcome
  if (typeof name === "string") head.outcome = name
}
