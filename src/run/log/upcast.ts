import { CadreError } from "../../ground/errors.ts"
import { eventVersion, type Fact, type RunEvent } from "./event.ts"
import type { Stored } from "./store.ts"

/** Turns a stored event into this version's shape; undefined for an unknown one that says it may be ignored. */
export function upcast(stored: Stored): RunEvent | undefined {
  if (stored.v === eventVersion && known.has(stored.type)) return stored as unknown as RunEvent
  if (stored.v === 1 && known.has(stored.type)) return fromVersion1(stored as unknown as RunEvent)
  if ((stored as { ignorable?: unknown }).ignorable === true) return undefined
  throw new CadreError(
    "LOG_VERSION",
    `Run ${stored.run} has an event of type "${stored.type}", version ${stored.v}, at ${stored.seq}; this cadre knows version ${eventVersion}. ` +
      "It was written by a newer release: use that one.",
  )
}

const known: ReadonlySet<string> = new Set<Fact["type"]>([
  "run-start",
  "run-resume",
  "model-start",
  "model-retry",
  "model-fallback",
  "model-end",
  "compaction-start",
  "compaction-end",
  "plan-end",
  "hook-start",
  "hook-end",
  "moment-end",
  "approval-start",
  "approval-end",
  "tool-start",
  "tool-end",
  "child-start",
  "child-rest",
  "child-wake",
  "child-ask",
  "child-end",
  "fallback-end",
  "resource-open",
  "resource-close",
  "message-add",
  "cancel-request",
  "run-stop",
  "check-start",
  "check-end",
  "run-end",
  "event-lost",
  "log-repair",
])

/** Version 1 knew a model by its name alone. */
function fromVersion1(event: RunEvent): RunEvent {
  if (event.type !== "run-start") return { ...event, v: eventVersion }
  const { requested, name, resolved } = event.model as unknown as Record<
    "requested" | "name" | "resolved",
    string
  >
  const source = requested === null ? "default" : "definition"
  return { ...event, v: eventVersion, model: { requested, source, uses: [{ name }], resolved } }
}
