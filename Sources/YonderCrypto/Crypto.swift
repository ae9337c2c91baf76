import CCrypto

/// Digests, keyed digests, random bytes and comparison, done by OpenSSL's libcrypto.
///
/// Stateless; every function may be called from any thread.
public enum Crypto: Sendable {
    /// Keeps OpenSSL at work to the process's very end: left to itself it ends with `exit`, and a thread that is
    /// closing a connection then crashes. To be asked for before anything else of OpenSSL is used; whether it is so.
    public static let outlivesExit = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// The SHA-1 digest of `bytes`, 20 bytes. For the WebSocket handshake only, never for security.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA_DIGEST_LENGTH)) { digest, count in
            _ = SHA1(bytes, bytes.count, digest.baseAddress)
            count = Int(SHA_DIGEST_LENGTH)
        }
    }

    /// The SHA-256 digest of `bytes`, 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            _ = SHA256(bytes, bytes.count, digest.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// The HMAC-SHA-256 of `message` (RFC 2104), 32 bytes.
    ///
    /// - Parameters:
    ///   - key: The secret, of any length.
    ///   - message: What is authenticated, of any length.
    /// - Returns: The full digest, not truncated.
    public static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            var length: UInt32 = 0
            let made = HMAC(
                EVP_sha256(), key, Int32(key.count), message, message.count, digest.baseAddress, &length)
            precondition(made != nil && length == SHA256_DIGEST_LENGTH, "HMAC-SHA-256 is not available")
            count = Int(length)
        }
    }

    /// `count` bytes nobody can foretell, from OpenSSL's generator, which the kernel seeds.
    ///
    /// - Parameter count: 0 or more.
    /// - Returns: Exactly `count` bytes. The process ends when the system has no randomness to give.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a negative number of random bytes")
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, made in
            guard count > 0 else { return }
            precondition(RAND_bytes(bytes.baseAddress, Int32(count)) == 1, "no randomness to be had")
            made = count
        }
    }

    /// Whether both are the same, in a time that depends on their lengths only.
    public static func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
    }
}
