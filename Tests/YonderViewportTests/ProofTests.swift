import Testing
import ViewportProofs

/// A few cases of each; `script/prove` checks 100,000, natively and as WebAssembly.
@Test(arguments: Proof.all.indices) func `what must hold of the engine holds`(_ index: Int) {
    let proof = Proof.all[index]
    let failure = proof.failure(seed: 7, cases: 300)
    #expect(failure == nil, "\(proof.name)")
}
