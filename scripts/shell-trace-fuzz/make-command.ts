import { quoteWord } from "../../src/world/shell/quote.ts"
import type { FuzzOption, Vocabulary } from "./vocabulary.ts"

/** Files, folders and links of the world, names that are new, and such as lead out of it. */
const files = [
  ..."a.txt b.txt secret.txt keep.txt sub/c.txt names.txt names0.txt data.json link.txt fix.patch sums.txt changed.txt".split(
    " ",
  ),
  ..."a.tar a.tgz a.txt.gz b.txt.bz2 b.txt.xz a.zip run.sh script.sed prog.awk".split(" "),
  ..."../o/x.txt olink/x.txt linkdir/c.txt ./b.txt sub/../keep.txt".split(" "),
]
const folders = [".", "sub", "sub/deep", "linkdir", "..", "../o", "olink", "sub/.."]
const fresh = ["new.txt", "sub/new.txt", "missing/new.txt", "../o/new.txt", "linkdir/new.txt"]
const texts = [
  ..."1 2 0 10 3 x ab , : = .txt 1,2 2K 1s %s s/a/b/ always never auto none all".split(" "),
  ..."-1 +1 1-2 a=b root 644 u+x utf-8 *.txt .+ *".split(" "),
]
const strange = [
  ..."@secret.txt =secret.txt :secret.txt file:secret.txt file://localhost/etc/hostname |cat !date +p -".split(
    " ",
  ),
  ..."a=secret.txt <secret.txt>keep.txt %secret.txt ^secret.txt secret.txt,keep.txt x:secret.txt".split(" "),
]
const hosts = ["localhost", "127.0.0.1", "example.invalid", "http://localhost:1/", "a@localhost:x"]

/** Makes up commands of known programs: as their tables say, and otherwise. */
export function commandMaker(next: () => number, vocabularies: readonly Vocabulary[]): () => string {
  const below = (limit: number) => Math.floor(next() * limit)
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
  const maybe = (chance: number) => next() < chance

  /** A word for a use that a table names; now and then something else. */
  const valueFor = (use: string): string => {
    if (maybe(0.12)) return one([files, folders, fresh, texts, strange, hosts].flat())
    switch (use) {
      case "read":
      case "names":
      case "settings":
        return one(files)
      case "read-below":
        return one([...files, ...folders])
      case "write":
      case "output":
        return one([...files, ...fresh])
      case "write-below":
        return one([...folders, ...fresh])
      case "run":
        return one(["cat", "./run.sh", "touch out.txt", "date"])
      case "host":
        return one(hosts)
      case "text":
        return maybe(0.75) ? one(texts) : one(files)
      default:
        return one([...texts, ...files, ...folders])
    }
  }

  /** An option as people and attackers write it: whole or shortened, its value behind `=`, a blank or nothing. */
  const written = (option: FuzzOption): readonly string[] => {
    const name = one(option.names)
    if (name === "-NUM") return [`-${below(20)}`]
    const isLong = name.startsWith("--")
    const short = isLong && maybe(0.15) ? name.slice(0, 3 + below(Math.max(1, name.length - 3))) : name
    const value = valueFor(option.use)
    if (option.takes === "none") return maybe(0.02) && isLong ? [`${short}=${value}`] : [short]
    if (option.takes === "optional")
      return maybe(0.5) ? [short] : [isLong ? `${short}=${value}` : `${short}${value}`]
    if (maybe(0.5)) return [short, value]
    return [isLong ? `${short}=${value}` : `${short}${value}`]
  }

  /** Short options without values in one word: `-la`. */
  const cluster = (options: readonly FuzzOption[]): readonly string[] => {
    const letters = options.flatMap(({ names, takes }) =>
      takes === "none" ? names.filter((name) => /^-[A-Za-z0-9]$/.test(name)) : [],
    )
    if (letters.length === 0) return []
    const valued = options.filter(
      ({ names, takes }) => takes === "required" && names.some((name) => /^-\w$/.test(name)),
    )
    const word = `-${Array.from({ length: 1 + below(3) }, () => one(letters)[1]).join("")}`
    if (valued.length === 0 || maybe(0.7)) return [word]
    const last = one(valued)
    const letter = last.names.find((name) => /^-\w$/.test(name))![1]
    return maybe(0.5) ? [`${word}${letter}${valueFor(last.use)}`] : [`${word}${letter}`, valueFor(last.use)]
  }

  const operandsOf = ({ operands }: Vocabulary): readonly string[] => {
    const words = operands.flatMap(({ use, many }) =>
      many === "one"
        ? maybe(0.9)
          ? [valueFor(use)]
          : []
        : Array.from({ length: below(3) }, () => valueFor(use)),
    )
    return maybe(0.1) ? [...words, one([...files, ...folders, ...fresh])] : words
  }

  const inTable = (vocabulary: Vocabulary): readonly string[] => {
    const { options, grammar, phrases } = vocabulary
    if (phrases.length > 0 && maybe(0.5)) {
      const words = one(phrases).split(" ")
      if (maybe(0.3)) words.splice(below(words.length + 1), 0, one([...grammar, ...files]))
      return words
    }
    const parts: (readonly string[])[] = []
    if (options.length > 0)
      for (let count = below(4); count > 0; count--)
        parts.push(maybe(0.15) ? cluster(options) : written(one(options)))
    if (grammar.length > 0 && maybe(options.length > 0 ? 0.3 : 1))
      parts.push(Array.from({ length: 1 + below(5) }, () => one(grammar)))
    else parts.push(operandsOf(vocabulary))
    return maybe(0.15) ? shuffled(parts).flat() : parts.flat()
  }

  const shuffled = <Value>(values: readonly Value[]): readonly Value[] => {
    const left = [...values]
    return values.map(() => left.splice(below(left.length), 1)[0]!)
  }

  const besideTable = (vocabulary: Vocabulary): readonly string[] => {
    const words = [...inTable(vocabulary)]
    const ofItself = () => {
      const beside = vocabulary.beside()
      return beside.length > 0 ? written(one(beside)) : [`--${one(texts)}`]
    }
    const odd = one<() => readonly string[]>([
      ofItself,
      ofItself,
      () => [
        `-${String.fromCharCode(97 + below(26) - (maybe(0.4) ? 32 : 0))}${maybe(0.3) ? one(files) : ""}`,
      ],
      () => [one(files), one(files), one(fresh)],
      () => ["--"],
      () => [one(strange)],
      () => [
        one([
          "-",
          "--no-such",
          "+5",
          "-5",
          "--=x",
          "---",
          "-o",
          "--o=keep.txt",
          "--output=keep.txt",
          "--f=secret.txt",
        ]),
      ],
      () => (words.length > 0 ? [one(words)] : []),
    ])()
    words.splice(below(words.length + 1), 0, ...odd)
    return words
  }

  return () => {
    const vocabulary = one(vocabularies)
    const words = (maybe(0.75) ? inTable : besideTable)(vocabulary)
    const line = [...vocabulary.words, ...words].map((word) =>
      maybe(0.02) && /[*?~]/.test(word) ? word : quoteWord(word),
    )
    if (maybe(0.06))
      line.push(
        one(["< names.txt", "< names0.txt", "<<< secret.txt", "> out.txt", "2> err.txt", ">> keep.txt"]),
      )
    return line.join(" ")
  }
}
