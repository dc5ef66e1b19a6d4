import AuditAdmission
import ChangeModel
import EventModel
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Holds an upload back at its connection until the gate has a place for it; all other requests pass.
///
/// ```
///  connection ──▶ head of an upload ──▶ gate ──▶ route ──▶ answer ──▶ place is free
///                 nothing more is read           (a task)
/// ```
/// While it is held nothing more is read from the connection: a body stays in the system's buffers and with the device. An
/// upload that waited too long passes without a place, so that the route can refuse it with the right words.
final class UploadDoor: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How far the request that is under way has come.
    private enum Stage {
        /// There is none, or it is no upload, or it passed without a place.
        case open
        /// It is held, with what has arrived of it.
        case held(Held)
        /// It has a place, of those of a network.
        case placed(ExactText)
    }

    /// What is passed on, in this order, when an upload need not wait any longer.
    private struct Held {
        let number: UploadGate.Number
        let network: ExactText
        let patience: Scheduled<Void>
        var parts: [HTTPRequestPart]
        var isReadWanted = false
        var isInputClosed = false
    }

    /// How long an upload is held; together with what a route waits it is less than the minute after which a device gives up.
    static let patience = TimeAmount.seconds(15)

    private let gate: UploadGate
    private let addresses: ClientAddress
    private var stage = Stage.open

    /// Creates the door of one connection.
    init(_ gate: UploadGate, _ addresses: ClientAddress = ClientAddress(header: nil)) {
        self.gate = gate
        self.addresses = addresses
    }

    // MARK: - What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .held(var held) = stage {
            held.parts.append(part)
            stage = .held(held)
        } else if case .open = stage, case .head(let head) = part,
            [PartitionStretch.mediaType, SyncWire.mediaType].contains(head.headerFields[.contentType])
        {
            arrive(head, context)
        } else {
            context.fireChannelRead(data)
        }
    }

    private func arrive(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        let address = addresses.of(head.headerFields) ?? context.remoteAddress?.ipAddress ?? ""
        let network = ExactText(NetworkName.of(address))
        let door = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let number = gate.enter(from: network) { [gate] in
            loop.execute {
                let (door, context) = door.value
                if !door.admit(context) { gate.leave(network) }
            }
        }
        guard let number else {
            stage = .placed(network)
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        let patience = loop.assumeIsolated().scheduleTask(in: Self.patience) { self.loseLine(context) }
        stage = .held(Held(number: number, network: network, patience: patience, parts: [.head(head)]))
    }

    /// Lets the held upload pass with a place; false if there is none any more.
    private func admit(_ context: ChannelHandlerContext) -> Bool {
        guard case .held(let held) = stage else { return false }
        held.patience.cancel()
        stage = .placed(held.network)
        pass(held, context)
        return true
    }

    private func loseLine(_ context: ChannelHandlerContext) {
        // Whoever is not in the line any more has a place and is about to be told.
        guard case .held(let held) = stage, gate.giveUp(held.number) else { return }
        stage = .open
        pass(held, context)
    }

    private func pass(_ held: Held, _ context: ChannelHandlerContext) {
        for part in held.parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        if held.isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if held.isReadWanted { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .held(var held) = stage, let event = event as? ChannelEvent, event == .inputClosed {
            held.isInputClosed = true
            stage = .held(held)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: - What is asked for and answered

    func read(context: ChannelHandlerContext) {
        guard case .held(var held) = stage else { return context.read() }
        held.isReadWanted = true
        stage = .held(held)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .placed(let network) = stage, case .end = unwrapOutboundIn(data) {
            stage = .open
            gate.leave(network)
        }
        context.write(data, promise: promise)
    }

    // MARK: - The end of the connection

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        switch stage {
        case .open: return
        case .placed(let network): gate.leave(network)
        case .held(let held):
            held.patience.cancel()
            // Otherwise the place comes, finds nothing held, and is given back.
            _ = gate.giveUp(held.number)
        }
        stage = .open
    }
}
