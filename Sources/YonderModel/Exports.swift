// A fix holds a coordinate and a share its times: whoever has the model has these too.
@_exported public import YonderGeo
@_exported public import YonderRules
