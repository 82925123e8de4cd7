// A channel between the tabs of one browser; where the browser has none, or refuses it, each tab is alone.

interface Channel<Message> {
  post: (message: Message) => void;
  close: () => void;
}

/** Opens the channel under a name; `hear` is called with what other tabs post. */
export function openChannel<Message>(
  name: string,
  hear: (message: Message) => void,
): Channel<Message> {
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    return { post: () => {}, close: () => {} };
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}
