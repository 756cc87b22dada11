const path = ["path", "file_path", "filePath", "filename"]

/** The arguments of the built-in tools, by the tools' own names and by other names that models use. */
export const toolInputs: Readonly<Record<string, readonly string[]>> = {
  Read: [...path, "offset", "limit"],
  Edit: [
    ...path,
    ...["old_string", "new_string", "replace_all"],
    ...["old_str", "new_str", "oldString", "newString", "replaceAll"],
  ],
  Write: [...path, "content", "contents", "file_text"],
  ApplyPatch: ["patch", "input", "diff"],
  Grep: [
    ...["pattern", "path", "glob", "output_mode", "ignore_case", "line_numbers", "before", "after"],
    ...["context", "multiline", "head_limit", "-i", "-n", "-A", "-B", "-C", "regex", "include"],
  ],
  Glob: ["pattern", "path"],
  LS: [...path, "dir_path", "directory"],
  DirectoryTree: [...path, "depth", "max_depth"],
  GitDiff: [...path, "staged", "base", "cached"],
  TodoWrite: ["todos"],
  Think: ["thought"],
  Bash: ["command", "timeout", "description", "cwd"],
  WebFetch: ["url", "prompt"],
  Agent: [
    ...["agent", "prompt", "background", "timeout", "model", "continues"],
    ...["subagent_type", "type", "subagent", "agent_type"],
  ],
}
