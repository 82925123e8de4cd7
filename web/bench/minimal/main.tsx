// As little of React as shows a page: the peer that `scripts/bench lighthouse` measures the website beside.
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
