/** Another tab of the same browser says this of the session. */
export function hearFromOtherTab(message: object): void {
  const tab = new BroadcastChannel("deadwax-session");
  tab.postMessage(message);
  tab.close();
}
