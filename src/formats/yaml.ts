import { EVENT_ID, type Event, getScalarValue, load, parseEvents, SCALAR_STYLE, YAMLException } from "js-yaml"
import type { Span } from "../diagnostics/position.ts"
import { messageOf } from "../errors.ts"
import type { Json } from "../message.ts"

export type YamlResult =
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "invalid"; readonly message: string; readonly offset: number }

export type Path = readonly (string | number)[]

/** Nested collections, aliases, and values once the aliases are followed: far above any real definition. */
const limits = { maxDepth: 50, maxAliases: 100 }
const maxValues = 50_000

/** Reads YAML 1.2 (core schema: no dates, no merge keys, no custom tags). Never throws, never runs anything. */
export function readYaml(text: string): YamlResult {
  try {
    const value = load(text, limits) ?? null
    const refusal = refuse(value, { left: maxValues })
    return refusal === undefined
      ? { type: "value", value: value as Json }
      : { type: "invalid", message: refusal, offset: 0 }
  } catch (error) {
    // Nothing but blanks and comments is a document that says nothing.
    if (error instanceof YAMLException && error.reason.startsWith("expected a document"))
      return { type: "value", value: null }
    if (error instanceof YAMLException)
      return { type: "invalid", message: error.reason, offset: error.mark?.position ?? 0 }
    return { type: "invalid", message: messageOf(error), offset: 0 }
  }
}

/** Finds keys and values of a document that reads strictly, by their path. */
export function locateYaml(text: string): (path: Path, place: "key" | "value") => Span | undefined {
  const root = new Tree(text).read()
  return (path, place) => {
    let node = root
    let key: Span | undefined
    for (const step of path) {
      const entry = typeof step === "number" ? node?.items?.[step] : node?.entries?.get(step)
      if (!entry) return undefined
      key = entry.key
      node = entry.node
    }
    return place === "key" ? (key ?? node?.span) : node?.span
  }
}

/** What JSON cannot say, or a few aliases that stand for millions of values. */
function refuse(value: unknown, count: { left: number }): string | undefined {
  if (--count.left < 0) return "it stands for too many values once its aliases are followed"
  if (typeof value === "number" && !Number.isFinite(value)) return `${value} is not a number that can be kept`
  if (typeof value !== "object" || value === null) return undefined
  for (const inner of Object.values(value)) {
    const refusal = refuse(inner, count)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

interface Node {
  readonly span: Span
  readonly entries?: ReadonlyMap<string, Entry>
  readonly items?: readonly Entry[]
}

interface Entry {
  readonly key?: Span
  readonly node: Node
}

/** The events of a document as a tree of positions. */
class Tree {
  readonly #text: string
  readonly #events: readonly Event[]
  #next = 0

  constructor(text: string) {
    this.#text = text
    this.#events = parseEvents(text, limits)
  }

  read(): Node | undefined {
    if (this.#take()?.type !== EVENT_ID.DOCUMENT) return undefined
    return this.#node()
  }

  #take(): Event | undefined {
    return this.#events[this.#next++]
  }

  #node(): Node | undefined {
    const event = this.#take()
    switch (event?.type) {
      case EVENT_ID.SCALAR: {
        const quoted =
          event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0
        return { span: { start: event.valueStart - quoted, end: event.valueEnd + quoted } }
      }
      case EVENT_ID.ALIAS:
        return { span: { start: event.anchorStart - 1, end: event.anchorEnd } }
      case EVENT_ID.SEQUENCE:
        return this.#sequence(event.start)
      case EVENT_ID.MAPPING:
        return this.#mapping(event.start)
      default:
        return undefined
    }
  }

  #sequence(start: number): Node {
    const items: Entry[] = []
    for (let node = this.#node(); node; node = this.#node()) items.push({ node })
    return { span: { start, end: items.at(-1)?.node.span.end ?? start + 1 }, items }
  }

  #mapping(start: number): Node {
    const entries = new Map<string, Entry>()
    let end = start + 1
    for (;;) {
      const event = this.#events[this.#next]
      const key = this.#node()
      const node = key && this.#node()
      if (!key || !node) return { span: { start, end }, entries }
      if (event?.type === EVENT_ID.SCALAR)
        entries.set(getScalarValue(this.#text, event), { key: key.span, node })
      end = node.span.end
    }
  }
}
