// A minimal React page, the peer of the website in `scripts/bench lighthouse`.
import { createRoot } from "react-dom/client";

function Page() {
  return (
    <main>
      <h1>Minimal</h1>
      <p>A heading and a paragraph, drawn by React once its script has run.</p>
    </main>
  );
}

const container = document.getElementById("root");
if (container) createRoot(container).render(<Page />);
