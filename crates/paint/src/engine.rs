//! One engine with the module loaded: JavaScript in, HTML out, on one thread.

use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

use rquickjs::{
    Coerced, Context, Ctx, FromJs, Function, Module, Object, Promise, Runtime,
    function::Rest,
    loader::{BuiltinResolver, bundle},
    module::WriteOptions,
};

use crate::bounds::Skipped;

/// The name the module is loaded by.
const MODULE: &str = "paint";

const LINE: usize = 1000;

/// The module that paints, compiled: it loads in a tenth of the time. It exports `paint(address: string, firstView: string):
/// Promise<string>`, and finds nothing of a browser but `console`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code(&'static [(&'static str, &'static [u8])]);

impl Code {
    /// Compiles the module, and keeps it for as long as the program runs: engines load it only from there.
    pub(crate) fn compile(source: &str) -> Result<Self, Skipped> {
        let context = Runtime::new().and_then(|runtime| Context::full(&runtime));
        let context = context.map_err(|error| Skipped::Failed(error.to_string()))?;
        let options = WriteOptions { strip_source: true, ..WriteOptions::default() };
        let bytes = context.with(|ctx| {
            let written =
                Module::declare(ctx.clone(), MODULE, source).and_then(|module| module.write(options));
            written.map_err(|error| Skipped::Failed(reason(&ctx, &error)))
        })?;
        Ok(Self(vec![(MODULE, &*bytes.leak())].leak()))
    }
}

/// A loaded module.
pub(crate) struct Engine {
    // Dropped before the runtime it belongs to.
    context: Context,
    until: Rc<Cell<Instant>>,
    runtime: Runtime,
    /// Memory use above which it collects within a page.
    collect_at: usize,
}

impl Engine {
    /// Makes an engine of at most `memory` bytes (stack: `stack`) and loads the module, within `time`.
    pub(crate) fn load(code: Code, memory: usize, stack: usize, time: Duration) -> Result<Self, Skipped> {
        let until = Rc::new(Cell::new(Instant::now() + time));
        let made = || {
            let runtime = Runtime::new()?;
            runtime.set_memory_limit(memory);
            runtime.set_max_stack_size(stack);
            let deadline = Rc::clone(&until);
            runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() >= deadline.get())));
            let resolver = BuiltinResolver::default().with_module(MODULE);
            runtime.set_loader(resolver, bundle::Bundle(code.0));
            Ok((Context::full(&runtime)?, runtime))
        };
        let (context, runtime) =
            made().map_err(|error: rquickjs::Error| Skipped::Failed(error.to_string()))?;
        let engine = Self { context, until, runtime, collect_at: memory / 3 };
        engine.run(|ctx| {
            add_console(ctx)?;
            engine.module(ctx).map(drop)
        })?;
        Ok(engine)
    }

    /// Paints the content of the page's root within `time`.
    pub(crate) fn paint(&self, address: &str, first_view: &str, time: Duration) -> Result<String, Skipped> {
        self.until.set(Instant::now() + time);
        self.runtime.set_gc_threshold(self.collect_at);
        self.run(|ctx| {
            let paint: Function<'_> = self.module(ctx)?.get("paint")?;
            let promise: Promise<'_> = paint.call((address, first_view))?;
            self.settle(ctx, &promise)
        })
    }

    /// Frees reference cycles that a page left behind; after its answer, so that no request waits for it.
    pub(crate) fn collect(&self) {
        self.runtime.run_gc();
    }

    fn run<T>(&self, work: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<T>) -> Result<T, Skipped> {
        self.context.with(|ctx| work(&ctx).map_err(|error| self.failure(&ctx, &error)))
    }

    fn module<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        self.settle(ctx, &Module::import(ctx, MODULE)?)
    }

    /// Runs pending jobs until the promise settles; [`rquickjs::Error::WouldBlock`] if it never will.
    fn settle<'js, T: FromJs<'js>>(&self, ctx: &Ctx<'js>, promise: &Promise<'js>) -> rquickjs::Result<T> {
        loop {
            if let Some(result) = promise.result() {
                return result;
            }
            if self.is_late() || !ctx.execute_pending_job() {
                return Err(rquickjs::Error::WouldBlock);
            }
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.until.get()
    }

    fn failure(&self, ctx: &Ctx<'_>, error: &rquickjs::Error) -> Skipped {
        if self.is_late() {
            ctx.catch();
            return Skipped::Late;
        }
        Skipped::Failed(reason(ctx, error))
    }
}

fn reason(ctx: &Ctx<'_>, error: &rquickjs::Error) -> String {
    let thrown = ctx.catch();
    match error {
        rquickjs::Error::WouldBlock => "its promise never settles".to_owned(),
        rquickjs::Error::Exception => {
            let thrown = Coerced::<String>::from_js(ctx, thrown);
            thrown.map_or_else(|_| "it threw what has no text".to_owned(), |Coerced(text)| shorten(text))
        }
        other => shorten(other.to_string()),
    }
}

/// Sends the module's console output to the log.
fn add_console(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    fn text(words: Rest<Coerced<String>>) -> String {
        shorten(words.0.into_iter().map(|word| word.0).collect::<Vec<_>>().join(" "))
    }
    let console = Object::new(ctx.clone())?;
    for (name, is_loud) in
        [("debug", false), ("log", false), ("info", false), ("warn", true), ("error", true)]
    {
        let say = move |words: Rest<Coerced<String>>| {
            if is_loud {
                tracing::warn!(line = text(words), "said while painting");
            } else {
                tracing::debug!(line = text(words), "said while painting");
            }
        };
        console.set(name, Function::new(ctx.clone(), say)?)?;
    }
    ctx.globals().set("console", console)
}

fn shorten(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LINE) {
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const MIB: usize = 1024 * 1024;

    fn load(source: &str) -> Result<Engine, Skipped> {
        Engine::load(Code::compile(source)?, 16 * MIB, MIB, SECOND)
    }

    fn paint(source: &str, time: Duration) -> Result<String, Skipped> {
        load(source)?.paint("/a", "{}", time)
    }

    fn why(result: Result<String, Skipped>) -> String {
        match result {
            Err(Skipped::Failed(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_page_is_painted_from_its_address_and_its_data() {
        let source = "export async function paint(address, firstView) {
            console.log('painting', address, 7);
            return `<p>${address} ${JSON.parse(firstView).x} \u{e4}\u{1f3b5}</p>`;
        }";
        let engine = load(source).unwrap();
        assert_eq!(engine.paint("/b?c=ü", r#"{"x":"🎶"}"#, SECOND), Ok("<p>/b?c=ü 🎶 ä🎵</p>".to_owned()));
    }

    #[test]
    fn what_does_not_end_is_ended() {
        let short = Duration::from_millis(50);
        for source in [
            "export async function paint() { for (;;); }",
            "export async function paint() { for (;;) try { for (;;); } catch {} }",
            "export async function paint() { await 1; for (;;); }",
            "export async function paint() { for (;;) await 1; }",
            "export async function paint() { /(a+)+$/.exec('a'.repeat(64) + 'b'); for (;;); }",
        ] {
            let started = Instant::now();
            assert_eq!(paint(source, short), Err(Skipped::Late), "{source}");
            assert!(started.elapsed() < SECOND * 2, "{source}");
        }
        let loading = Engine::load(Code::compile("for (;;);").unwrap(), 16 * MIB, MIB, short);
        assert_eq!(loading.err(), Some(Skipped::Late));
    }

    #[test]
    fn memory_and_stack_are_bounded() {
        let hoard =
            "const kept = []; export async function paint() { for (;;) kept.push(new Array(1000).fill(1)); }";
        assert!(why(paint(hoard, SECOND * 10)).contains("memory"));
        let long = "export async function paint() { return 'x'.repeat(2 ** 28); }";
        assert!(!why(paint(long, SECOND * 10)).is_empty());
        let deep = "export async function paint() { const f = () => f() + 1; return f(); }";
        assert!(why(paint(deep, SECOND * 10)).contains("stack"));
    }

    #[test]
    fn answers_that_are_none_are_refused() {
        for (source, part) in [
            ("export async function paint() { throw new Error('no such page'); }", "no such page"),
            ("export async function paint() { throw { toString() { throw 1; } }; }", "no text"),
            ("export function paint() { return new Promise(() => {}); }", "never settles"),
            ("export async function paint() { return 7; }", "string"),
            ("export async function paint() {}", "string"),
            ("export function paint() { return 'now'; }", ""),
            ("export const other = 1;", ""),
            ("export async function paint() { return '\\ud800'; }", ""),
            ("import 'elsewhere'; export async function paint() {}", "elsewhere"),
            ("throw new Error('at once');", "at once"),
            ("export function paint( {", ""),
            ("export async function paint() { return new URL('/'); }", "URL"),
        ] {
            let failure = why(paint(source, SECOND));
            assert!(failure.contains(part), "{source}: {failure}");
        }
    }

    #[test]
    fn pages_leave_no_memory_behind() {
        let source = "export async function paint(address) {
            const all = [];
            for (let i = 0; i < 1000; i++) { const o = { address, all }; o.self = o; all.push(o); }
            return String(all.length);
        }";
        let engine = load(source).unwrap();
        for _ in 0..300 {
            assert_eq!(engine.paint("/a", "{}", SECOND), Ok("1000".to_owned()));
            engine.collect();
        }
        assert!(engine.runtime.memory_usage().malloc_size < i64::try_from(2 * MIB).unwrap());
    }
}
