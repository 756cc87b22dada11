import {
  closestWord,
  plainKey,
  resemblesRestriction,
  type Vocabulary,
  vocabularyOf,
} from "../../../ground/restricting.ts"

/** A key that somebody must have meant when they wrote another one. */
export interface NearMiss {
  /** The key to write; undefined where this format has no such key at all. With a dot: at another place. */
  readonly key: string | undefined
  /** It would narrow what the agent may do, so leaving it unread would widen it. */
  readonly restricts: boolean
  /** A value would mean the same under the other key. */
  readonly same: boolean
}

/** Undefined: a key of its own, not a slip. */
export function nearMiss(key: string, known: ReadonlySet<string>): NearMiss | undefined {
  if (key.length > 60) return undefined
  const word = plainKey(key)
  const spelled = spellingsOf(known)
  const respelled = spelled.meanings.get(word)
  if (respelled !== undefined) return { key: respelled, restricts: restricts(respelled), same: true }
  const restriction = resemblesRestriction(key)
  const slip = restriction?.distance === 0 || foreign.has(word) ? undefined : closestWord(word, spelled)
  if (slip && slip.distance <= (restriction?.distance ?? 9)) {
    const isUnit = resemblesRestriction(slip.word)?.measured && word.startsWith(slip.word)
    return { key: slip.meaning, restricts: restricts(slip.word), same: !isUnit }
  }
  if (!restriction) return undefined
  const instead = restriction.means.find((name) => known.has(name.split(".")[0]!))
  return { key: instead, restricts: true, same: restriction.same }
}

const restricts = (key: string): boolean =>
  resemblesRestriction(key)?.distance === 0 || gating.has(plainKey(key))

/** Keys of ours whose value may forbid calls: what was meant to be one of them and is not heard forbids nothing. */
const gating: ReadonlySet<string> = new Set(["hooks", "lifecycle", "rules", "workflow"])

/** Keys of other hosts that look like a slip of ours and are none. */
const foreign: ReadonlySet<string> = new Set(["mode"])

const spellings = new WeakMap<ReadonlySet<string>, Vocabulary<string>>()

function spellingsOf(known: ReadonlySet<string>): Vocabulary<string> {
  const cached = spellings.get(known)
  if (cached) return cached
  const made = vocabularyOf([...known].map((name) => [plainKey(name), name] as const))
  spellings.set(known, made)
  return made
}
