vim.api.nvim_create_user_command("Countersign", function(given)
  require("countersign").review(given.fargs)
end, { nargs = "*", complete = "file", desc = "Review changes of the working tree, or a saved reply, in a terminal split" })
