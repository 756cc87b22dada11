// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are words of the shell.
/** Harmless ones stand for them where the commands are run. */
export const programs: readonly string[] = [
  "curl",
  "git",
  "rm",
  "cat",
  "ls",
  "alpha",
  "beta",
  "gamma",
  "grep",
  "touch",
  "tee",
]
/** Makes up command lines: well-formed ones of many shapes, and such with a character too many or too few. */
export function commandMaker(next: () => number): () => string {
  const below = (limit: number) => Math.floor(next() * limit)
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
  const maybe = (chance: number) => next() < chance
  const many = (most: number, make: () => string, joint: () => string): string =>
    Array.from({ length: 1 + below(most) }, make).reduce((all, part) => all + joint() + part)

  const blank = () => (maybe(0.85) ? " " : one(["  ", "\t", " \\\n", "\\\n ", " \t ", " \\\n\t"]))
  const gap = () => (maybe(0.7) ? blank() : "")
  const letters = () =>
    one([
      "a",
      "b",
      "x1",
      "foo",
      "-n",
      "--",
      "-rf",
      "sub",
      "f.txt",
      "a=b",
      "A=1",
      "é",
      "2",
      "-",
      "x.y",
      "@",
      "%",
      ":",
      ",",
      "+",
    ])
  const quoted = (text: string): string =>
    one([
      () => `'${text.replaceAll("'", "'\\''")}'`,
      () => `"${text.replaceAll(/[$`"\\]/g, "\\$&")}"`,
      () => `$'${text.replaceAll(/[\\']/g, "\\$&")}'`,
    ])()

  const fragment = (): string => {
    if (maybe(0.6)) return letters()
    if (maybe(0.55))
      return one([
        () =>
          quoted(one(["a b", "x", "", "a;b", "$x", "it's", "#", "~", "*", "(", "|", "a\nb", "\\", "curl z"])),
        () => `\\${one(["a", " ", "$", ";", "'", '"', "\\", "\n", "#", "~", "&", "|"])}`,
        () => `"${one(["a b", "$x", "\\$x", "\\a", "a\\\nb", "'", "${x}", "!", "$", "$?", "\\\\", "a#b"])}"`,
        () => `$'${one(["\\x61", "\\n", "\\'", "a\\tb", "\\061", "\\u0061", "\\\\", '"'])}'`,
      ])()
    return one([
      "~",
      "*",
      "?",
      "[a]",
      "{a,b}",
      "{1..2}",
      "{}",
      "$HOME",
      "$x",
      "${x}",
      "$y",
      "$?",
      "$$",
      "#",
      "#a",
      "=",
      "!",
      "^",
      "$",
      "$(curl z)",
      "`curl z`",
      "$((1+1))",
      "${x:-a}",
      "<(ls)",
      "[",
      "]",
      "{",
      "}",
      "~/a",
      "a~",
      "=~",
      "$1",
      "$@",
      "\\\n",
    ])
  }
  const word = () => many(3, fragment, () => "")
  const program = (): string => {
    const name = one([
      ...programs,
      "echo",
      "true",
      "false",
      ":",
      "printf",
      "test",
      "cp",
      "/usr/bin/curl",
      "/bin/ls",
      "[",
      "cd sub",
      "cd ..",
      "cd",
      "pwd",
      "export",
      "x=1",
      "unset x",
    ])
    if (!/^[a-z]+$/.test(name) || maybe(0.7)) return name
    const place = below(name.length)
    const rest = name.slice(place + 1)
    return (
      name.slice(0, place) +
      one([
        () => `""${name[place]}`,
        () => `\\${name[place]}`,
        () => `'${name[place]}'`,
        () => `"${name[place]}"`,
        () => `\\\n${name[place]}`,
        () => `$'${name[place]}'`,
      ])() +
      rest
    )
  }
  const redirect = () =>
    one([
      "> ",
      ">",
      ">>",
      ">|",
      "2>",
      "2>&1",
      ">&2",
      "&>",
      "&>>",
      ">&",
      "<",
      "<>",
      "1>&2 >",
      "2> /dev/null >",
      "<<<",
      ">&-",
    ]) + one(["", "out", "o2", "'o 3'", "sub/o", "/dev/null", "$x", '"$HOME"/q'])
  const assignment = () => `${one(["x", "A", "y", "_z"])}=${maybe(0.3) ? "" : word()}`
  const wrapper = () =>
    one([
      "env ",
      "env A=1 ",
      "env -i ",
      "timeout 2 ",
      "nice ",
      "nice -n 1 ",
      "nohup ",
      "command ",
      "command -p ",
      "exec ",
      "setsid -w ",
      "stdbuf -oL ",
      "time ",
      "time -p ",
      "builtin ",
      "env -- ",
      "env -u x ",
      "timeout -s KILL 2 ",
      "! ",
      "exec -a n ",
      "command -v ",
    ])

  const simple = (): string => {
    const parts: string[] = []
    if (maybe(0.12)) parts.push(assignment())
    if (maybe(0.08)) parts.push(redirect())
    parts.push((maybe(0.2) ? many(2, wrapper, () => "") : "") + program())
    for (let count = below(4); count > 0; count--) parts.push(word())
    if (maybe(0.15)) parts.push(redirect())
    if (maybe(0.05)) parts.push(word())
    return parts.reduce((all, part) => all + blank() + part)
  }
  const inner = (depth: number): string => {
    if (depth <= 0 || maybe(0.6)) return simple()
    const list = () => lines(depth - 1)
    return one([
      () => `(${gap()}${list()}${gap()})`,
      () => `{ ${list()}${one([";", "\n", " ;"])} }`,
      () => `if ${list()}; then ${list()}; fi`,
      () => `if ${list()}\nthen ${list()}; elif ${list()}; then ${list()}; else ${list()}\nfi`,
      () => `while false; do ${list()}; done`,
      () => `until ${one(["true", ":"])}; do ${list()}; done`,
      () => `for ${one(["x", "y"])} in ${many(3, word, blank)}; do ${list()}; done`,
      () => `bash -c ${quoted(list())}`,
      () => `sh -c ${quoted(list())}`,
      () => `bash -ec ${quoted(list())} a b`,
      () => `eval ${quoted(list())}`,
      () => `eval ${word()} ${word()}`,
      () =>
        `${simple()} <<${one(["E", "'E'", "-E", '"E"', " E", "\\E", "E'E'"])}${one(["", "; ls", " | cat", " && curl x"])}\n${one(["body", "a $x", "curl z", "", "'", "\tE", "E ", "a\\"])}\n${one(["E", "EE", "\tE"])}\n${simple()}`,
      () => `${list()} ${redirect()}`,
      () => `${wrapper()}${inner(depth - 1)}`,
      () => `f() { ${list()}; }; f`,
      () => `case a in a) ${list()};; esac`,
      () => `[[ -f a ]] && ${list()}`,
    ])()
  }
  const lines = (depth: number): string =>
    many(
      3,
      () => inner(depth),
      () =>
        one([
          ";",
          " ; ",
          "\n",
          " && ",
          "&&",
          " || ",
          "||",
          " | ",
          "|",
          " & ",
          "&",
          " |& ",
          " # c\n",
          "#\n",
          "\\\n",
          " &&\n",
          "|\n",
          ";\n",
        ]),
    )

  const strange = [
    "'",
    '"',
    "\\",
    "$",
    "`",
    "(",
    ")",
    "{",
    "}",
    ";",
    "&",
    "|",
    "<",
    ">",
    "#",
    "~",
    "=",
    "*",
    "!",
    "\n",
    " ",
    "\t",
    "\\\n",
    "-",
    "[",
    "]",
    ",",
    "\r",
    "\u00a0",
    "\v",
    "x",
    "$(",
    "<<",
    "&&",
    "E\n",
    "if ",
    "do ",
    "}",
    "time ",
    "coproc ",
    "function ",
  ]
  const mutate = (text: string): string => {
    const place = below(text.length + 1)
    if (maybe(0.3)) return text.slice(0, place) + text.slice(place + 1)
    if (maybe(0.2)) return text.slice(0, place) + text.slice(below(text.length))
    return text.slice(0, place) + one(strange) + text.slice(place)
  }
  return () => {
    let text = lines(below(3))
    while (maybe(0.3)) text = mutate(text)
    return text.slice(0, 3_000)
  }
}
