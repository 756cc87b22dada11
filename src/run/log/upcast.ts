import { CadreError } from "../../ground/errors.ts"
import { eventVersion, type Fact, type RunEvent } from "./event.ts"
import type { StoredEvent } from "./store.ts"

/**
 * Turns a stored event into the shape of this version. Undefined for an unknown event that is marked as
 * ignorable.
 */
export function upcast(stored: StoredEvent): RunEvent | undefined {
  if (stored.v === eventVersion && knownTypes.has(stored.type)) return stored as unknown as RunEvent
  if (stored.v === 1 && knownTypes.has(stored.type)) return fromVersion1(stored as unknown as RunEvent)
  if ((stored as { ignorable?: unknown }).ignorable === true) return undefined
  throw new CadreError(
    "LOG_VERSION",
    `Run ${stored.run} cannot be read: its event ${stored.seq} (type "${stored.type}", version ${stored.v}) is unknown. This release of cadre reads events up to version ${eventVersion}. ` +
      "A newer release wrote the log: use that release.",
  )
}

const knownTypes: ReadonlySet<string> = new Set<Fact["type"]>([
  "run-start",
  "run-resume",
  "run-release",
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
  "sampling-ask",
  "sampling-start",
  "sampling-retry",
  "sampling-end",
  "tool-start",
  "tool-note",
  "file-change",
  "file-kept",
  "changes-seen",
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
  "changes-undone",
])

/** Version 1 recorded only the name of a model. */
function fromVersion1(event: RunEvent): RunEvent {
  if (event.type !== "run-start") return { ...event, v: eventVersion }
  const { requested, name, resolved } = event.model as unknown as Record<
    "requested" | "name" | "resolved",
    string
  >
  const source = requested === null ? "default" : "definition"
  return { ...event, v: eventVersion, model: { requested, source, uses: [{ name }], resolved } }
}
