-- Opens countersign in a terminal split. When the review ends, its hunks and comments become the quickfix list, and buffers whose
-- files were written are read again.
local M = {}

-- The program and the command that opens the split; set by `setup`.
local settings = { program = "countersign", split = "botright new" }

--- Changes the settings: `require("countersign").setup { split = "tabnew" }`.
function M.setup(changed)
  settings = vim.tbl_extend("force", settings, changed or {})
end

--- Returns a quickfix item for a place in the tree, whose names are relative to its root.
local function item(root, path, line, text)
  return { filename = root .. "/" .. path, lnum = line or 1, text = text }
end

--- Returns the quickfix items of a report (`countersign schema report`): each hunk with its status, each comment at its line.
function M.items(report)
  local items = {}
  local root = report.root or vim.fn.getcwd()
  local function comments(path, list, line)
    for _, comment in ipairs(list or {}) do
      local lines = comment.new or comment.old or {}
      table.insert(items, item(root, path, lines.first or line, comment.text))
    end
  end
  for _, file in ipairs(report.files or {}) do
    local path = file.rename or file.path
    if file.comment then
      table.insert(items, item(root, path, 1, file.comment))
    end
    comments(path, file.comments)
    for _, hunk in ipairs(report.hunks or {}) do
      if hunk.path == file.path then
        local text = hunk.comment and hunk.status .. ": " .. hunk.comment or hunk.status
        table.insert(items, item(root, path, hunk.line, text))
        comments(path, hunk.comments, hunk.line)
      end
    end
  end
  return items
end

--- Reads a report, or returns nothing if the review was left without one.
local function read(path)
  local opened = io.open(path)
  local text = opened and opened:read("*a") or ""
  if opened then
    opened:close()
  end
  os.remove(path)
  local understood, report = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
  return understood and report or nil
end

--- Opens a review: `arguments` are those of the program, `{ "git" }` or `{ "reply.md" }`; without any, `{ "git" }`.
function M.review(arguments)
  if vim.fn.executable(settings.program) == 0 then
    vim.notify("countersign: there is no program " .. settings.program, vim.log.levels.ERROR)
    return
  end
  local path = vim.fn.tempname()
  arguments = #arguments > 0 and arguments or { "git" }
  local script = 'report=$1; shift; exec "$@" --report json >"$report"'
  local command = vim.list_extend({ "sh", "-c", script, "sh", path, settings.program }, arguments)
  vim.cmd(settings.split)
  local buffer = vim.api.nvim_get_current_buf()
  vim.fn.termopen(command, {
    on_exit = function(_, code)
      local report = read(path)
      if not report then
        vim.notify("countersign ended with " .. code .. " and without a report", vim.log.levels.WARN)
        return
      end
      if vim.api.nvim_buf_is_valid(buffer) then
        vim.api.nvim_buf_delete(buffer, { force = true })
      end
      vim.cmd("checktime")
      vim.fn.setqflist({}, " ", { title = "countersign: " .. report.status, items = M.items(report) })
      vim.notify("countersign: " .. report.status)
    end,
  })
  vim.cmd("startinsert")
end

return M
