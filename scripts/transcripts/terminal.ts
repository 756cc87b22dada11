/** Plays one command line in a terminal of so many columns, answers its questions, and prints what a person sees in the end. */
import { openTerminal, screenOf } from "../../test/terminal-kit.ts"

const [columns = "80", answers = "[]", line = ""] = process.argv.slice(2)
const size = { columns: Number(columns), rows: 24 }
const opened = openTerminal(["bash", "-c", line], {
  cwd: process.cwd(),
  environment: process.env,
  size,
  echo: "on",
})
for (const answer of JSON.parse(answers) as readonly string[]) {
  await opened.question()
  opened.type(`${answer}\n`)
}
const { raw, code } = await opened.ended
process.stdout.write(`${screenOf(raw, size).lines.join("\n")}\n`)
process.exitCode = code ?? 1
