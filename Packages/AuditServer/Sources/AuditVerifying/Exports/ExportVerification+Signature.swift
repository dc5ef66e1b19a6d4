import AuditModel
import EventModel
import Foundation

extension ExportVerification {
    /// Checks who signed the manifest, and notes which key receipts have to be signed with.
    mutating func checkSignature(of manifest: ExportManifest) throws {
        let name = ExportSignature.fileName
        guard let bytes = try contents(name) else {
            if manifest.isSigned { return note("\(name): it is missing, and the manifest says that it is signed.") }
            if key != nil || receiptKey != nil {
                return note("\(name): it is missing, so the key says nothing about the export.")
            }
            return remarks.append("No server signed this export: it was made from files.")
        }
        guard manifest.isSigned else { return note("\(name): the manifest says that nobody signed it.") }
        let signature: ExportSignature
        do {
            signature = try JSONDecoder().decode(ExportSignature.self, from: Data(bytes))
        } catch {
            return note("\(name): it is no signature.")
        }
        publicKey = signature.publicKey
        checkKeys(of: manifest, signedBy: signature.publicKey)
        guard let signed = try contents(ExportManifest.fileName), signature.isValid(for: signed) else {
            return note("\(name): the signature does not belong to \(ExportManifest.fileName), which was changed.")
        }
    }

    /// Compares the keys with those that are known, and with each other.
    private mutating func checkKeys(of manifest: ExportManifest, signedBy signer: [UInt8]) {
        let (name, found) = (ExportSignature.fileName, Hexadecimal.text(signer))
        let isSignedLikeReceipts = manifest.version <= ExportManifest.lastSignedLikeReceipts
        if let key, key != signer {
            note("\(name): the key is \(found), and the server's is \(Hexadecimal.text(key)).")
            if isSignedLikeReceipts {
                remarks.append(
                    "Up to version 3 exports are signed with the server's key of receipts; this one is of \(manifest.version)."
                )
            } else if key == manifest.receiptKey {
                remarks.append(
                    "The key that was given is the one of receipts: exports are signed with 'exportKey' of /api/v1/key."
                )
            }
        }
        if isSignedLikeReceipts {
            publicReceiptKey = signer
        } else if let named = manifest.receiptKey {
            publicReceiptKey = named
            if named == signer {
                note("\(name): it is signed with the key of receipts, which signs no export of this version.")
            }
        } else {
            note("\(ExportManifest.fileName): it names no key of receipts.")
            publicReceiptKey = receiptKey
        }
        guard let receiptKey, let named = publicReceiptKey, receiptKey != named else { return }
        note(
            "\(ExportManifest.fileName): the key of receipts is \(Hexadecimal.text(named)), and the server's is "
                + "\(Hexadecimal.text(receiptKey))."
        )
    }
}
