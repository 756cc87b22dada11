import { editDistance } from "../errors.ts"

/** A key that somebody must have meant when they wrote another one. */
export interface NearMiss {
  /** The key to write; undefined where this format has no such key at all. With a dot: at another place. */
  readonly key: string | undefined
  /** It would narrow what the agent may do, so leaving it unread would widen it. */
  readonly restricts: boolean
}

/** What narrows an agent, in the words of any host: a file that says so and is not heard has more rights than it says. */
const restricting: readonly { readonly means: readonly string[]; readonly words: readonly string[] }[] = [
  {
    means: ["tools", "allowed_tools"],
    words: [
      "tool",
      "tools",
      "allowedtools",
      "allowtools",
      "toolsallow",
      "toolallowlist",
      "allowlist",
      "toolsallowed",
      "enabledtools",
      "availabletools",
      "grantedtools",
      "tooluse",
    ],
  },
  {
    means: ["disallowedTools", "blocked_tools"],
    words: [
      "disallowedtools",
      "disallowtools",
      "deniedtools",
      "denytools",
      "toolsdeny",
      "blockedtools",
      "blocktools",
      "disabledtools",
      "excludetools",
      "excludedtools",
      "forbiddentools",
      "tooldenylist",
      "denylist",
    ],
  },
  {
    means: ["permissionMode"],
    words: ["permissionmode", "permission", "permissions", "approvalmode", "approvalpolicy"],
  },
  { means: ["isolation", "sandbox"], words: ["isolation", "sandbox", "sandboxmode", "readonly"] },
  {
    means: ["maxTurns", "max_turns", "limits.maxTurns"],
    words: ["maxturns", "maxturn", "maxsteps", "maxiterations", "turnlimit"],
  },
  {
    means: ["timeout", "limits.timeout"],
    words: ["timeout", "timeoutmins", "timeoutseconds", "timeoutms", "maxtime", "maxseconds", "timelimit"],
  },
  { means: ["limits"], words: ["limits", "limit", "budget"] },
  { means: ["limits.maxTokens"], words: ["maxtokens", "tokenlimit"] },
  { means: ["limits.maxCost"], words: ["maxcost", "costlimit"] },
]

/** Undefined: a key of its own, not a slip. */
export function nearMiss(key: string, known: ReadonlySet<string>): NearMiss | undefined {
  if (key.length > 60) return undefined
  const word = plain(key)
  const concept = restricting.find(({ words }) => words.includes(word))
  if (concept) {
    const instead = concept.means.find((name) => known.has(name.split(".")[0]!))
    return { key: instead, restricts: true }
  }
  const close = [...known].find((name) => plain(name) === word) ?? closest(word, known)
  if (close === undefined) return undefined
  return { key: close, restricts: restricting.some(({ means }) => means.includes(close)) }
}

/** Spelling apart from case and separators. */
const plain = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** One slip in a short word, two in a long one. */
function closest(word: string, known: ReadonlySet<string>): string | undefined {
  if (word.length < 4) return undefined
  const allowed = word.length < 7 ? 1 : 2
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(word, plain(name))
    if (distance <= allowed && distance < (best?.distance ?? 9)) best = { name, distance }
  }
  return best?.name
}
