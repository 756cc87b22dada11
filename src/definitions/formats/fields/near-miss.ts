import {
  createVocabulary,
  findClosestWord,
  resemblesRestriction,
  toPlainKey,
  type Vocabulary,
} from "../../../ground/restricting.ts"

/** The key that an author probably meant when writing an unknown one. */
export interface NearMiss {
  /** The key to write; undefined if this format has no such key. With a dot: a key inside another one. */
  readonly key: string | undefined
  /** The intended key restricts the agent. Without it the agent could do more. */
  readonly restricts: boolean
  /** The value can be moved to the suggested key unchanged. */
  readonly same: boolean
}

/** Undefined: the key resembles no known key and no restriction. */
export function findNearMiss(key: string, knownKeys: ReadonlySet<string>): NearMiss | undefined {
  if (key.length > 60) return undefined
  const word = toPlainKey(key)
  const spelled = spellingsOf(knownKeys)
  const respelled = spelled.meanings.get(word)
  if (respelled !== undefined) return { key: respelled, restricts: restricts(respelled), same: true }
  const restriction = resemblesRestriction(key)
  const slip =
    restriction?.distance === 0 || otherToolsKeys.has(word) ? undefined : findClosestWord(word, spelled)
  if (slip && slip.distance <= (restriction?.distance ?? 9)) {
    const isUnit = resemblesRestriction(slip.word)?.measured && word.startsWith(slip.word)
    return { key: slip.meaning, restricts: restricts(slip.word), same: !isUnit }
  }
  if (!restriction) return undefined
  const instead = restriction.means.find((name) => knownKeys.has(name.split(".")[0]!))
  return { key: instead, restricts: true, same: restriction.same }
}

const restricts = (key: string): boolean =>
  resemblesRestriction(key)?.distance === 0 || gating.has(toPlainKey(key))

/** Keys of cadre whose value may forbid calls. A misspelt one would forbid nothing. */
const gating: ReadonlySet<string> = new Set(["hooks", "lifecycle", "rules", "workflow"])

/** Keys of other tools that are spelt correctly, although a similar key exists here. */
const otherToolsKeys: ReadonlySet<string> = new Set(["mode"])

const spellings = new WeakMap<ReadonlySet<string>, Vocabulary<string>>()

function spellingsOf(knownKeys: ReadonlySet<string>): Vocabulary<string> {
  const cached = spellings.get(knownKeys)
  if (cached) return cached
  const vocabulary = createVocabulary([...knownKeys].map((name) => [toPlainKey(name), name] as const))
  spellings.set(knownKeys, vocabulary)
  return vocabulary
}
