// A channel between the tabs of one browser; without BroadcastChannel each tab is alone.

interface Channel<Message> {
  post: (message: Message) => void;
  close: () => void;
}

/** Opens the channel under a name; `hear` is called with what other tabs post. */
export function openChannel<Message>(
  name: string,
  hear?: (message: Message) => void,
): Channel<Message> {
  if (typeof BroadcastChannel === "undefined") return { post: () => {}, close: () => {} };
  const channel = new BroadcastChannel(name);
  if (hear) channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}
