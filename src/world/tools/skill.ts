import { defineTool, type Tool } from "../../agent/tool.ts"
import { readSkillText, type Skill } from "../../definitions/skills/skills.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

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
    // A rule about what a link leads to is about the link.
    accesses: ({ skill }) => [{ type: "read", path: withoutLinks(skills.get(skill)!.file) }],
    execute({ skill }) {
      const found = skills.get(skill)!
      const reading = readSkillText(found)
      if ("problem" in reading)
        return { text: `The skill ${skill} cannot be read: ${reading.problem}`, isError: true }
      return `The skill ${skill}, from ${found.file}; files it names lie beside it.\n\n${reading.text}`
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
