import YonderSecretBox

/// Keeps the passphrases of apps' own encryption: sealed with a key that is made of the server's secret.
struct PassphraseSafe: Sendable {
    private let box: SecretBox

    init(_ signer: TokenSigner) {
        // A fingerprint is as long as a key.
        box = SecretBox(key: signer.fingerprint(Array("the passphrases of phone apps".utf8)))!
    }

    func seal(_ passphrase: String) -> [UInt8] { box.seal(Array(passphrase.utf8)) }

    /// What encrypts with a passphrase; `nil` where it was sealed under another secret of the server's.
    func open(_ sealed: [UInt8]) -> SecretBox? {
        box.open(sealed).flatMap { SecretBox(passphrase: String(decoding: $0, as: UTF8.self)) }
    }
}
