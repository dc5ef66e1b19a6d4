/// A value whose text or data lies in the memory of somebody else: it is written without being copied first.
///
/// It is valid as long as that memory is, such as that of a row until its statement moves on.
public enum PlainValue {
    /// Text in UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Raw bytes.
    case data(UnsafeRawBufferPointer)
    /// What is neither, and no link.
    case other(CellValue)
}
