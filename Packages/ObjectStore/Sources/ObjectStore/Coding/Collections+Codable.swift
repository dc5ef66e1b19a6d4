extension List: Encodable where Element: Encodable {
    /// Encodes the elements in order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Decodable where Element: Decodable {
    /// Decodes an unmanaged list.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        append(objectsIn: try [Element](from: decoder))
    }
}

extension MutableSet: Encodable where Element: Encodable {
    /// Encodes the elements; their order means nothing.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension MutableSet: Decodable where Element: Decodable {
    /// Decodes an unmanaged set; equal elements are one.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        insert(objectsIn: try [Element](from: decoder))
    }
}

extension Map: Encodable where Value: Encodable {
    /// Encodes the entries by their keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EntryKey.self)
        for entry in self { try container.encode(entry.value, forKey: EntryKey(stringValue: entry.key._entryKey)) }
    }
}

extension Map: Decodable where Value: Decodable {
    /// Decodes an unmanaged map.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: EntryKey.self)
        for key in container.allKeys {
            self[Key(_entryKey: key.stringValue)] = try container.decode(Value.self, forKey: key)
        }
    }
}

extension Results: Encodable where Element: Encodable {
    /// Encodes the elements in order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}
