@_exported public import YonderModel
