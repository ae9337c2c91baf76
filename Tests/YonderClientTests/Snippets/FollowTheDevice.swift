import YonderClient
import YonderLocation

// The code of FollowTheDevice.md, block by block, word for word.

private func follow() {
    // begin
    let provider = LocationProvider.shared
    provider.didUpdateLocation = { fix in print(fix.coordinate) }
    provider.didFailWithError = { error in print(error.message) }
    provider.startMonitoringLocation()
    // end
}

private func sample(_ source: any LocationSource, _ me: CurrentChatUserController) async {
    // begin
    var sampler = AdaptiveSampler()
    for await fix in source.fixes {
        guard let location = sampler.offer(fix) else { continue }
        me.updateLiveLocation(location, completion: nil)
    }
    // end
}
