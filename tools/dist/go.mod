module github.com/xcrl/terraform-provider-xcrl/tools/dist

go 1.26.0

require go.yaml.in/yaml/v3 v3.0.4
