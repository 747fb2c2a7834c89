server {
  volume {
    medium = "volume-medium"

    labels = merge(
      {
        "Name" = "${join(local.cluster[*].name, [""])[0]}-${lookup(
          var.groups[count.index],
          "name",
          count.index,
        )}-disk"
      },
      { for key, value in var.labels :
        key => value
        if key != "Name" && !contains([for label in lookup(var.groups[count.index], "labels", local.defaults["labels"]) : label["key"]], key)
      }
    )
  }

  network {
    medium = "network-medium"

    labels = merge(
      {
        "Name" = "${join(local.cluster[*].name, [""])[0]}-${lookup(
          var.groups[count.index],
          "name",
          count.index,
        )}-port"
      },
      { for key, value in var.labels :
        key => value
        if key != "Name" && !contains([for label in lookup(var.groups[count.index], "labels", local.defaults["labels"]) : label["key"]], key)
      }
    )
  }

  labels = var.labels

  lifecycle {
    create_before_destroy = true
  }
}
