/**
 * Counts the habits that make sentences hard to read in the comments and messages of src and in the pages, and the
 * sentences of src that tests assert: `npm run words` prints the counts; `--list HABIT` prints every place; `--check`
 * fails where a count is above the one in scripts/words/most.json; `--lower` writes today's counts there, where they
 * are lower.
 */
import fs from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { assertedMessages } from "./words/asserted.ts"
import { countHabits, type Habit, habits } from "./words/habits.ts"
import { readCode, readTexts, type Text } from "./words/texts.ts"

const { values } = parseArgs({
  options: {
    list: { type: "string" },
    check: { type: "boolean", default: false },
    lower: { type: "boolean", default: false },
  },
})
const root = path.resolve(import.meta.dirname, "..")
const mostFile = path.join(root, "scripts/words/most.json")
const places = new Map<Habit, Text[]>(habits.map((habit) => [habit, []]))
places.get("assertedMessage")!.push(...assertedMessages(...readCode(root)))
for (const text of readTexts(root))
  for (const [habit, count] of Object.entries(countHabits(text.text)) as [Habit, number][])
    for (let found = 0; found < count; found++) places.get(habit)!.push(text)
const counts = Object.fromEntries([...places].map(([habit, found]) => [habit, found.length])) as Record<
  Habit,
  number
>

if (values.list !== undefined) list(values.list)
else if (values.check) check()
else if (values.lower) lower()
else for (const habit of habits) console.log(`${String(counts[habit]).padStart(6)}  ${habit}`)

function list(name: string): void {
  const found = places.get(name as Habit)
  if (!found) throw new Error(`No habit is named "${name}". Known: ${habits.join(", ")}.`)
  for (const { file, line, text } of found) console.log(`${file}:${line}: ${text}`)
}

function check(): void {
  const most = readMost()
  const risen = habits.filter((habit) => counts[habit] > most[habit])
  for (const habit of risen)
    console.error(
      `${habit}: ${counts[habit]} places, at most ${most[habit]} are allowed. \`npm run words -- --list ${habit}\` shows them; write the new ones in another way.`,
    )
  if (risen.length > 0) process.exitCode = 1
}

function lower(): void {
  const most = readMost()
  const lowest = Object.fromEntries(habits.map((habit) => [habit, Math.min(most[habit], counts[habit])]))
  fs.writeFileSync(mostFile, `${JSON.stringify(lowest, null, 2)}\n`)
}

function readMost(): Record<Habit, number> {
  return JSON.parse(fs.readFileSync(mostFile, "utf8")) as Record<Habit, number>
}
