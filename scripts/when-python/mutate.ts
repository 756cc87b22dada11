import type { Random } from "./random.ts"

/** The same with one piece more, less, twice or in another place: what must then be read as Python reads it, or by neither. */
export function mutated(text: string, random: Random): string {
  const changed = withOneOther(text, random)
  // Behind a dot, a condition takes any word for a name.
  return /\.\s*(?:and|or|not|in|is|if|else|for|lambda|await|yield|None|True|False)\b/.test(changed)
    ? text
    : changed
}

function withOneOther(text: string, { below, pick }: Random): string {
  const pieces: readonly string[] =
    text.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\w+|\s+|\*\*|\/\/|[<>=!]=|[^\w\s]/gsu) ?? []
  const at = below(pieces.length)
  const other = below(pieces.length)
  switch (below(5)) {
    case 0:
      return pieces.toSpliced(at, 1).join("")
    case 1:
      return pieces.toSpliced(at, 0, pieces[at]!, " ").join("")
    case 2:
      return pieces.with(at, pieces[other]!).with(other, pieces[at]!).join("")
    case 3:
      return pieces.toSpliced(at, 0, ` ${pick(words)} `).join("")
    default:
      return pieces.with(at, ` ${pick(words)} `).join("")
  }
}

const words =
  "and or not in is if else for lambda * ** , : ( ) [ ] { } - ~ + == < | & ^ << = . 1 x 'a' None not_there await yield := @ % // f'{n1}' is_not if_else".split(
    " ",
  )
