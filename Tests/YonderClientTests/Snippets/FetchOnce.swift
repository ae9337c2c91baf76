import YonderLocation

// The code of FetchOnce.md, block by block, word for word.

private func once() async throws {
    // begin
    let here = try await LocationProvider.shared.getCurrentLocation()
    print(here.coordinate.latitude, here.coordinate.longitude, here.horizontalAccuracy ?? 0)
    // end
}

private func howGood() async throws {
    // begin
    let provider = LocationProvider.shared
    provider.desiredAccuracy = 50
    let here = try await provider.getCurrentLocation(timeout: .seconds(30), maximumAge: .seconds(10))
    // end
    print(here)
}

private func whatGoesWrong() async {
    // begin
    do {
        let here = try await LocationProvider.shared.getCurrentLocation()
        print(here.coordinate)
    } catch {
        switch error.code {
        case .denied, .restricted: print("Allow the location in the settings.")
        case .servicesDisabled: print("Switch location on.")
        case .timeout: print("No location came in time. Is there a view of the sky?")
        default: print(error.message)
        }
    }
    // end
}

// begin
@MainActor final class Weather: GeolocationServiceDelegate {
    private var service: GeolocationService?

    func appear() {
        service = GeolocationService(delegate: self)
    }

    func didFetchCurrentLocation(_ location: GeoLocation) {
        print("the weather at \(location.latitude), \(location.longitude)")
    }

    func fetchCurrentLocationFailed(error: LocationError) {
        print(error.message)
    }
}
// end
