/**
 * The tool names of every host. This data ages: each host has the source of its names and the date of
 * reading.
 * `equivalents` are listed below our tool with the same meaning. A name listed twice is a set and means both.
 */
export interface Host {
  readonly id: string
  readonly source: string
  readonly equivalents: Readonly<Partial<Record<CanonicalTool, string>>>
  /** Tools with no equivalent here. */
  readonly foreign: string
}

export type CanonicalTool = (typeof canonicalTools)[number]

/** The date on which the sources below were last compared with this file. */
export const catalogueDate = "2026-11-15"

/** The tools with which a run acts on other runs. */
export const runTools = [
  "Agent",
  "AgentWait",
  "AgentStatus",
  "AgentCancel",
  "AgentSend",
  "AgentReport",
  "AskParent",
] as const

/** The names that definitions use here, in any format. */
export const canonicalTools = [
  "Read",
  "Edit",
  "Write",
  "ApplyPatch",
  "Bash",
  "Grep",
  "Glob",
  "LS",
  "DirectoryTree",
  "GitDiff",
  "WebFetch",
  "WebSearch",
  "TodoWrite",
  "Think",
  "Skill",
  "Executor",
  ...runTools,
] as const

export const hosts: readonly Host[] = [
  {
    id: "claude",
    source:
      "code.claude.com/docs/en/tools-reference and /sub-agents, 2026-08-22; older names from real files",
    equivalents: {
      Read: "NotebookRead",
      Edit: "MultiEdit",
      TodoWrite: "TaskCreate TaskGet TaskList TaskUpdate",
      Agent: "Task",
    },
    foreign: `
      Artifact AskUserQuestion BashOutput CronCreate CronDelete CronList EndConversation EnterPlanMode EnterWorktree
      ExitPlanMode ExitWorktree KillBash KillShell ListAgents ListMcpResourcesTool LSP Monitor NotebookEdit PowerShell
      PushNotification ReadMcpResourceTool RemoteTrigger ReportFindings ScheduleWakeup SendFeedback SendMessage
      SendUserFile ShareOnboardingGuide SlashCommand SubagentHandback TaskOutput TaskStop TeamCreate TeamDelete TodoRead
      ToolSearch WaitForMcpServers Workflow`,
  },
  {
    id: "codex",
    source:
      "openai/codex codex-rs/core/src/tools, 2026-08-22; antsh3k/codex-cv core/src/codex.rs and its specification of subagents, 2025-09-28",
    equivalents: {
      Read: "read_file",
      ApplyPatch: "apply_patch",
      Bash: "shell local_shell exec exec_command shell_command container.exec",
      Grep: "grep_files",
      LS: "list_dir",
      GitDiff: "git_diff",
      WebSearch: "web_search",
      TodoWrite: "update_plan plan",
      Agent: "spawn_agent",
    },
    foreign: `
      close_agent followup_task interrupt_agent list_agents list_mcp_resource_templates list_mcp_resources
      read_mcp_resource request_user_input resume_agent send_input send_message view_image wait wait_agent write_stdin`,
  },
  {
    id: "gemini",
    source: "google-gemini/gemini-cli packages/core/src/tools/tool-names.ts, 2026-08-21",
    equivalents: {
      Read: "read_file read_many_files",
      Edit: "replace",
      Write: "write_file",
      Bash: "run_shell_command",
      Grep: "grep_search search_file_content",
      Glob: "glob",
      LS: "list_directory",
      WebFetch: "web_fetch",
      WebSearch: "google_web_search",
      TodoWrite: "write_todos",
      Skill: "activate_skill",
    },
    foreign: `
      ask_user cli_help codebase_investigator complete_task enter_plan_mode exit_plan_mode get_internal_docs
      list_mcp_resources read_mcp_resource save_memory tracker_add_dependency tracker_create_task tracker_get_task
      tracker_list_tasks tracker_update_task tracker_visualize update_topic`,
  },
  {
    id: "qwen",
    source:
      "QwenLM/qwen-code packages/core/src/tools/tool-names.ts, 2026-08-22: names, display names, older names",
    equivalents: {
      Read: "read_file ReadFile",
      Edit: "edit replace",
      Write: "write_file WriteFile",
      Bash: "run_shell_command Shell",
      Grep: "grep_search search_file_content SearchFiles",
      Glob: "glob FindFiles",
      LS: "list_directory ListFiles ReadFolder",
      WebFetch: "web_fetch",
      WebSearch: "web_search",
      TodoWrite: "todo_write TodoList task_create task_get task_list task_update",
      Skill: "skill",
      Agent: "agent task",
    },
    foreign: `
      ask_user_question exit_plan_mode lsp Lsp notebook_edit save_memory SaveMemory task_output task_stop`,
  },
  {
    id: "opencode",
    source:
      "anomalyco/opencode packages/web/src/content/docs/tools.mdx and packages/core/src/v1/config, 2026-08-19",
    equivalents: {
      Read: "read",
      Edit: "edit multiedit",
      Write: "write",
      ApplyPatch: "apply_patch patch",
      Bash: "bash",
      Grep: "grep",
      Glob: "glob",
      LS: "list",
      WebFetch: "webfetch",
      WebSearch: "websearch",
      TodoWrite: "todowrite",
      Skill: "skill",
      Agent: "task",
    },
    foreign: "batch codesearch doom_loop external_directory lsp plan_enter plan_exit question todoread",
  },
  {
    id: "copilot",
    source:
      "docs.github.com custom-agents-configuration (aliases), 2026-08-07; tools of Copilot CLI from its users",
    equivalents: {
      Read: "read view",
      Edit: "edit",
      Write: "edit create",
      ApplyPatch: "apply_patch",
      Bash: "execute shell powershell bash",
      Grep: "search grep",
      Glob: "search glob",
      WebFetch: "web web_fetch",
      WebSearch: "web",
      TodoWrite: "todo",
      Skill: "skill",
      Agent: "agent custom-agent task",
    },
    foreign:
      "ask_user list_agents list_bash read_agent read_bash report_intent sql stop_bash store_memory write_bash",
  },
  {
    id: "vscode",
    source:
      "microsoft/vscode-docs copilot-vscode-features.md, 2025-10-09 (bare names) and 2026-05-20 (set/tool); real files",
    equivalents: {
      Read: "read/readFile readFile",
      // These tools create files, too: at first there was no other tool for that, and a patch may add a file.
      Edit: "edit/editFiles editFiles",
      Write: "edit/editFiles editFiles edit/createFile createFile",
      Bash: "execute/runInTerminal runInTerminal runCommands runCommands/runInTerminal",
      Grep: "search/codebase codebase search/textSearch textSearch",
      Glob: "search/fileSearch fileSearch",
      LS: "search/listDirectory listDirectory",
      GitDiff: "search/changes changes",
      WebFetch: "web/fetch fetch",
      TodoWrite: "todos",
      Think: "think",
      Agent: "agent/runSubagent runSubagent",
    },
    foreign: `
      browser createAndRunTask createDirectory edit/createDirectory edit/createJupyterNotebook
      edit/editNotebook edit/rename editNotebook execute/awaitTerminal execute/createAndRunTask
      execute/executionSubagent execute/getTaskOutput execute/getTerminalOutput execute/killTerminal
      execute/runNotebookCell execute/runTask execute/runTests execute/sendToTerminal
      execute/testFailure extensions findTestFiles getNotebookSummary getProjectSetupInfo getTaskOutput
      getTerminalOutput githubRepo githubTextSearch installExtension new newJupyterNotebook newWorkspace
      openSimpleBrowser problems read/getNotebookSummary read/getTaskOutput read/problems
      read/readNotebookCellOutput read/terminalLastCommand read/terminalSelection read/viewImage
      readCellOutput readNotebookCellOutput runCell runCommands/getTerminalOutput
      runCommands/terminalLastCommand runCommands/terminalSelection runNotebooks runTask runTasks
      runTasks/createAndRunTask runTasks/getTaskOutput runTasks/runTask runTests runVscodeCommand
      search/searchResults search/searchSubagent search/usages searchResults selection
      terminalLastCommand terminalSelection testFailure updateUserPreferences usages vscode
      vscode/askQuestions vscode/extensions vscode/getProjectSetupInfo vscode/installExtension
      vscode/memory vscode/newWorkspace vscode/openSimpleBrowser vscode/runCommand vscode/switchAgent
      vscode/VSCodeAPI vscode/vscodeAPI VSCodeAPI vscodeAPI web/githubRepo web/githubTextSearch`,
  },
  {
    id: "vscode-extensions",
    source: "tools that extensions add to VS Code, as real files of 2026-08 name them (seen 2026-11-15)",
    equivalents: {},
    foreign: `
      activePullRequest azure_design_architecture azure_get_azure_verified_module
      azure_get_code_gen_best_practices azure_get_deployment_best_practices azure_get_schema_for_Bicep
      azure_get_swa_best_practices azure_query_learn configureNotebook configurePythonEnvironment
      copilotCodingAgent getPythonEnvironmentInfo getPythonExecutableCommand installPythonPackage
      listNotebookPackages mssql_connect mssql_disconnect mssql_listDatabases mssql_listServers
      mssql_query mssql_visualizeSchema pgsql_bulkLoadCsv pgsql_connect pgsql_describeCsv
      pgsql_disconnect pgsql_listDatabases pgsql_listServers pgsql_modifyDatabase pgsql_open_script
      pgsql_query pgsql_visualizeSchema renderMermaidDiagram`,
  },
  {
    id: "droid",
    source:
      "Factory-AI/factory docs/cli/configuration/custom-droids.mdx, 2026-07-24: tools and their categories",
    equivalents: {
      Read: "read-only",
      Edit: "edit",
      Write: "edit Create",
      ApplyPatch: "edit",
      Bash: "execute Execute",
      Grep: "read-only",
      Glob: "read-only",
      LS: "read-only",
      WebFetch: "web FetchUrl",
      WebSearch: "web",
      Agent: "Task",
    },
    foreign: "AskUser ExitSpecMode GenerateDroid",
  },
  {
    id: "kiro",
    source:
      "aws/amazon-q-developer-cli docs/agent-format.md, 2026-04-23; kiro.dev/docs/cli/reference/built-in-tools",
    equivalents: {
      Read: "read fs_read",
      Edit: "fs_write",
      Write: "write fs_write",
      Bash: "shell execute_bash execute_cmd",
      Grep: "grep",
      Glob: "glob",
      LS: "fs_read",
      WebFetch: "web_fetch",
      WebSearch: "web_search",
      TodoWrite: "todo todo_list",
      Think: "thinking",
      Agent: "use_subagent",
    },
    foreign: "@builtin aws code delegate gh_issue introspect knowledge report report_issue use_aws",
  },
  {
    id: "roo",
    source: "RooCodeInc/Roo-Code packages/types/src/tool.ts, 2026-04-14",
    equivalents: {
      Read: "read_file",
      Edit: "apply_diff edit_file insert_content search_and_replace search_replace",
      Write: "write_to_file",
      ApplyPatch: "apply_patch",
      Bash: "execute_command",
      Grep: "search_files codebase_search",
      LS: "list_files",
      TodoWrite: "update_todo_list",
      Skill: "skill",
      Agent: "new_task",
    },
    foreign: `
      access_mcp_resource ask_followup_question attempt_completion browser_action fetch_instructions generate_image
      list_code_definition_names read_command_output run_slash_command switch_mode use_mcp_tool`,
  },
  {
    id: "cline",
    source: "cline/cline ClineDefaultTool, read 2026-11-15",
    equivalents: {
      Read: "read_file",
      Edit: "replace_in_file",
      Write: "write_to_file",
      ApplyPatch: "apply_patch",
      Bash: "execute_command",
      Grep: "search_files",
      LS: "list_files",
      WebFetch: "web_fetch",
      WebSearch: "web_search",
      TodoWrite: "focus_chain",
      Agent: "new_task",
    },
    foreign: `
      access_mcp_resource act_mode_respond ask_followup_question attempt_completion browser_action condense
      generate_explanation list_code_definition_names load_mcp_documentation new_rule plan_mode_respond report_bug
      search_subagent summarize_task use_mcp_tool`,
  },
  {
    id: "pi",
    source: "badlogic/pi-mono packages/coding-agent and nicobailon/pi-subagents docs/agents.md, 2026-08-22",
    equivalents: {
      Read: "read",
      Edit: "edit",
      Write: "write",
      Bash: "bash",
      Grep: "grep",
      Glob: "find",
      LS: "ls",
      Agent: "subagent",
    },
    foreign: "",
  },
  {
    id: "zed",
    source: "zed-industries/zed crates/agent/src/tools, read 2026-11-15",
    equivalents: {
      Read: "read_file",
      Edit: "edit_file",
      Write: "write_file",
      Bash: "terminal",
      Grep: "grep",
      Glob: "find_path",
      LS: "list_directory",
      WebFetch: "fetch",
      WebSearch: "web_search",
      Think: "thinking",
      Skill: "skill",
      Agent: "spawn_agent subagent",
    },
    foreign:
      "copy_path create_directory delete_path diagnostics move_path now open restore_file_from_disk save_file",
  },
  {
    id: "acai",
    source: "travisennis/acai-ts source/tools and its subagent plan, 2026-05-06",
    equivalents: { Agent: "Subagent" },
    foreign: "",
  },
  {
    id: "instructor",
    source: "cognesy/instructor-php packages/agents/src/Capability, 2026-08-06",
    equivalents: {
      Read: "read_file",
      Edit: "edit_file",
      Write: "write_file",
      Bash: "bash",
      Grep: "search_files grep",
      Glob: "search_files",
      LS: "list_dir",
      TodoWrite: "todo_write",
      Skill: "load_skill",
      Agent: "spawn_subagent",
    },
    foreign: "list_agents read_agent write_agent",
  },
  {
    id: "gobby",
    source: "GobbyAI/gobby src/gobby/mcp_proxy/tools, 2026-04-08",
    equivalents: { Skill: "get_skill", Agent: "start_agent spawn_agent" },
    foreign: `
      call_tool end_agent_run get_tool_schema get_variable kill_agent list_mcp_servers list_skills list_tools
      search_tools send_command send_message set_variable`,
  },
]
