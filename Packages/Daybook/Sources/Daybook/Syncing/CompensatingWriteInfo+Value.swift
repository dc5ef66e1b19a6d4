import ChangeModel
public import ObjectStore
public import RealmSync

extension CompensatingWriteInfo {
    /// The primary key of the object, to look it up with; `.none` for a key of null.
    public var primaryKey: AnyRealmValue {
        switch key {
        case .null: .none
        case .int(let number): .int(Int(number))
        case .string(let text): .string(text.string)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        }
    }
}
