function M.total(order)
  return order.sum + order.tax
end

function M.label(order)
  return order.name
end

function M.weight(order)
  return order.kilos
end
