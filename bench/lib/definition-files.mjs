import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const advice =
  "Before you change anything, open the files that the task names and list who calls what is in them. " +
  "Keep the change as small as the task allows, leave the layout of other lines alone, and say what you did not check. "

/** Writes so many definition files of about 4 KB into a folder, the same ones every time. */
export function writeDefinitions(folder, count) {
  mkdirSync(folder, { recursive: true })
  for (let number = 0; number < count; number++)
    writeFileSync(join(folder, `agent-${number}.md`), `---\n${header(number)}---\n${body(number)}`)
  return folder
}

function header(number) {
  return `name: agent-${number}
description: >-
  Looks after part ${number % 37} of a TypeScript code base, as reviewer number ${number}. Ask it when a change
  touches that part, when its tests fail, or for "another pair of eyes": it reads and does not write.
kind: local
model: gemini-2.5-pro
temperature: 0.${number % 10}
max_turns: ${5 + (number % 40)}
timeout_mins: ${1 + (number % 20)}
tools:
  - read_file
  - glob
  - list_directory
  - grep_search
  - write_file
mcp_servers:
  search-${number % 5}:
    command: node
    args: ["./servers/search.mjs", "--port", "${4000 + (number % 100)}"]
    env:
      LOG_LEVEL: "info"
`
}

function body(number) {
  let text = `\n# Agent ${number}\n\nYou are agent ${number}.\n\n## How to work\n\n`
  for (let step = 0; text.length < 3_300; step++)
    text += `${step % 3 === 0 ? `### Step ${step}\n\n` : ""}- (${number}.${step}) ${advice}\n`
  return `${text}\n\`\`\`ts\nexport const isPositive = (value: number): boolean => value > 0\n\`\`\`\n`
}
