import { readDocument } from "../formats/document.ts"
import { readSourceFile } from "../formats/source.ts"
import type { Skill } from "../skills/skills.ts"
import { defineTool, type Tool } from "../tool.ts"

/** Characters of the list of skills that every request repeats. */
const longestList = 8_000

/** Loads a skill's text when the model finds that it needs it: only names and descriptions are in the prompt before. */
export function skillTool(skills: ReadonlyMap<string, Skill>): Tool {
  return defineTool<{ skill: string }>({
    name: "Skill",
    description: `Load the instructions of a skill before you do what it is about.\nSkills:\n${listed(skills)}`,
    effect: "read",
    input: {
      type: "object",
      properties: { skill: { type: "string", enum: [...skills.keys()].sort(), description: "Its name." } },
      required: ["skill"],
      additionalProperties: false,
    },
    accesses: ({ skill }) => [{ type: "read", path: skills.get(skill)!.file }],
    execute({ skill }) {
      const { file } = skills.get(skill)!
      const reading = readSourceFile(file)
      if (reading.type === "refused")
        return { text: `The skill ${skill} cannot be read: ${reading.problem.message}`, isError: true }
      const { text } = reading.source
      const body = readDocument(text, "markdown", new Set()).body ?? text
      return `The skill ${skill}, from ${file}; files it names lie beside it.\n\n${body.trim()}`
    },
  })
}

function listed(skills: ReadonlyMap<string, Skill>): string {
  const lines = [...skills.values()]
    .map(
      ({ name, description }) =>
        `- ${name}: ${description.replace(/\s+/g, " ").trim() || "(no description)"}`,
    )
    .sort()
  const text = lines.join("\n")
  if (text.length <= longestList) return text
  const share = Math.max(20, Math.floor(longestList / lines.length))
  return lines
    .map((line) => (line.length > share ? `${line.slice(0, share - 1).toWellFormed()}…` : line))
    .join("\n")
}
