import path from "node:path"
import type { Access } from "../../agent/tool.ts"

/** Named among the programs where one takes its commands from its input. */
export const commandsFromInput = "commands from input"

/** What was found, in order and once each. */
export class Findings {
  readonly #found = new Map<string, Access>()
  /** The programs named so far, for whoever asks what a part of a pipeline ran. */
  readonly programs: string[] = []
  /** The command whose program is looked at now: what is found is its doing. Undefined: the shell's own. */
  doer: string | undefined
  readonly #parts = new Map<string, number>()
  readonly #links = { itself: new Set<string>(), below: new Set<string>() }

  get all(): readonly Access[] {
    return [...this.#found.values()].map((access) => {
      const part = access.type === "command" && !access.implied ? this.#parts.get(access.text) : undefined
      return part === undefined ? access : { ...access, part }
    })
  }

  command(program: string, text: string): void {
    this.programs.push(program)
    this.#add({ type: "command", text })
  }

  /** What people call a command that was named already. */
  alsoCalled(text: string): void {
    this.#add({ type: "command", text, implied: "certain" })
  }

  /** Nobody knows what this command does. */
  unknown(text: string): void {
    this.#found.set(keyOf({ type: "command", text }), { type: "command", text, loose: "free" })
  }

  path(type: "read" | "write", path: string, reach: "itself" | "below" = "itself"): void {
    const below = reach === "below" && { below: true as const }
    this.#add(type === "read" ? { type, path, ...below } : { type, path, ...below, ...this.#by() })
  }

  /** A change that is decided with the command, unless a rule is about the path. */
  change(path: string, reach: "itself" | "below", implied: "certain" | "possible"): void {
    this.#add({ type: "write", path, ...(reach === "below" && { below: true as const }), implied })
  }

  /** From here on there may be links at a path, or below it, of which nobody knows where they lead. */
  linked(path: string, reach: "itself" | "below"): void {
    this.#links[reach].add(path)
  }

  /** Whether a command before this one may have put a link at a path, or above it. */
  mayLead(place: string): boolean {
    const { itself, below } = this.#links
    if (itself.size + below.size === 0) return false
    for (let above = place; ; above = path.dirname(above)) {
      if (itself.has(above) || (above !== place && below.has(above))) return true
      if (above === path.dirname(above)) return false
    }
  }

  /** Whether a command before this one may have put a link below a path. */
  mayHoldLinks(place: string): boolean {
    const inside = place === "/" ? "/" : `${place}/`
    return [...this.#links.itself, ...this.#links.below].some((link) => link.startsWith(inside))
  }

  host(host: string): void {
    this.#add({ type: "host", host: host.toLowerCase() })
  }

  unclear(reason: string): void {
    this.#add({ type: "unclear", reason, ...this.#by() })
  }

  dangerous(reason: string): void {
    this.#add({ type: "dangerous", reason, ...this.#by() })
  }

  /** A number, because a command may be long and write thousands of files. */
  #by(): { readonly by?: number } {
    if (this.doer === undefined) return {}
    const by = this.#parts.get(this.doer) ?? this.#parts.size + 1
    this.#parts.set(this.doer, by)
    return { by }
  }

  #add(access: Access): void {
    const key = keyOf(access)
    if (!this.#found.has(key)) this.#found.set(key, access)
  }
}

const keyOf = (access: Access): string => JSON.stringify(access)
