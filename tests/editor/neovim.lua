-- Opens train.py in Neovim with the snippet of docs/editors.md, applies the first quick fix, and prints JSON: the
-- diagnostics before, the text after, and the diagnostics that are left.
vim.o.swapfile = false

local function wait(what, done)
  if not vim.wait(40000, done, 50) then
    error("no " .. what .. "; see " .. vim.lsp.get_log_path())
  end
end

local function main()
  dofile(vim.env.KENG_SNIPPET)
  vim.cmd("edit train.py")

  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.tbl_map(function(each)
    return { line = each.lnum, code = each.code, message = each.message, source = each.source }
  end, vim.diagnostic.get(0))

  vim.api.nvim_win_set_cursor(0, { found[1].line + 1, 0 })
  local before = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  local params = vim.lsp.util.make_range_params()
  params.range = { start = { line = found[1].line, character = 0 }, ["end"] = { line = found[1].line, character = 1000 } }
  params.context = { diagnostics = {}, only = { "quickfix" } }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000)
  local _, answer = next(answers or {})
  assert(answer and answer.result and answer.result[1], "no quick fix: " .. vim.inspect(answers))
  local client = vim.lsp.get_active_clients()[1]
  vim.lsp.util.apply_workspace_edit(answer.result[1].edit, client.offset_encoding)
  wait("the fix", function()
    return not vim.deep_equal(before, vim.api.nvim_buf_get_lines(0, 0, -1, true)) and #vim.diagnostic.get(0) == 0
  end)

  local page = client.request_sync("workspace/executeCommand", { command = "keng.page", arguments = { found[1].code } }, 60000, 0)
  io.stdout:write(vim.fn.json_encode({
    found = found,
    title = answer.result[1].title,
    text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"),
    left = #vim.diagnostic.get(0),
    page = page.result,
  }))
end

local ended, why = pcall(main)
if not ended then
  io.stderr:write(why)
  vim.cmd("cquit")
end
vim.cmd("qall!")
