@_exported public import YonderGeo
@_exported public import YonderModel
