import type { Fault } from "./places.ts"

/** A fault that changes nothing anybody could see, and why. */
interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly why: string
}

/** Looked at one by one. They are known by what stands there, so that they stay known when lines move. */
export const equivalents: readonly Equivalent[] = [
  {
    file: "src/world/models/wire/error-words.ts",
    before: "minutes === undefined && seconds === undefined && milliseconds === undefined",
    after: "false",
    why: "what is left is a wait of 0, and its only caller takes no wait that is not above 0",
  },
  {
    file: "src/run/words/lack-text.ts",
    before: "true",
    after: "false",
    why: "the table of reasons is only asked whether it has a name",
  },
  {
    file: "src/run/rights/reach.ts",
    before: "name.trim()",
    after: "name",
    why: "sets that only list agents are made by `only`, which takes the blanks away already",
  },
  {
    file: "src/run/effects/ask.ts",
    before:
      "since === undefined ? undefined : since + (start!.limits.providerWait ?? defaultLimits.providerWait)",
    after: "since + (start!.limits.providerWait ?? defaultLimits.providerWait)",
    why: "no number is no time either: nothing is later than it, which is all that it is asked",
  },
  {
    file: "src/run/state/tally.ts",
    before: "from === to && opened === 0",
    after: "false",
    why: "a shorter way: the tally that is made then is equal to the one that there was",
  },
  {
    file: "src/world/sandbox/foreign-sockets.ts",
    before: "[...boundPlaces, ...beside]",
    after: "[...beside]",
    why: "the sockets beside one are all of its folder, itself among them, wherever that folder can be listed",
  },
  {
    file: "src/world/stores/jsonl/entries.ts",
    before: '"last"',
    after: '"last?"',
    why: 'whoever asks only asks whether the place is "more", so that any other word is the last',
  },
  {
    file: "src/world/stores/memory.ts",
    before: "32",
    after: "0",
    why: "how many hashes of texts are kept to spare working them out again",
  },
]

export const isEquivalent = ({ file, before, after }: Pick<Fault, "file" | "before" | "after">): boolean =>
  equivalents.some((one) => one.file === file && one.before === before && one.after === after)
